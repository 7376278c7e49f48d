/** The two switches that are always in sight: memory, and incognito. */

import { get, post } from "./api.js";
import { el, icon } from "./elements.js";
import { MODES, modeNamed } from "./modes.js";
import { currentSpace } from "./spaces.js";
import { toast } from "./toast.js";

let modes = null;
let mask = null;
let settings = null;

/** How memory is used in this space. @returns {HTMLElement} */
export function memorySwitch() {
  const options = MODES.map(({ mode, name }) => el("option", { value: mode }, name));
  modes = el("select", { class: "select", id: "memory-mode", disabled: true, on: { change: changeMode } }, options);
  return el("div", { class: "control" }, el("label", { for: "memory-mode", class: "control-name" }, "Memory"), modes);
}

/**
 * Whether the conversation is incognito. On the chat page a click fires `incognitowanted` with
 * `{on}`; elsewhere it leads to a new incognito chat.
 * @param {string} page
 * @returns {HTMLElement}
 */
export function incognitoSwitch(page) {
  const sign = [icon("mask"), el("span", { class: "switch-name" }, "Incognito")];
  if (page !== "chat") return el("a", { class: "switch", href: "/#incognito" }, sign);
  const knob = el("span", { class: "knob", "aria-hidden": "true" });
  const props = { type: "button", role: "switch", class: "switch", "aria-checked": "false", disabled: true };
  mask = el("button", { ...props, on: { click: wantIncognito } }, sign, knob);
  return mask;
}

/** Shows how private the conversation on the page is. @param {string} privacy */
export function showPrivacy(privacy) {
  document.documentElement.dataset.privacy = privacy;
  if (!mask) return;
  mask.disabled = false;
  mask.setAttribute("aria-checked", String(privacy !== "normal"));
}

/** The settings of the space as last heard. */
export function currentSettings() {
  return settings;
}

/** Asks for the settings of the space; fires `settingschange` where they are others. */
export async function refreshSettings() {
  const answer = await get("/v1/memory/settings", { space: currentSpace() });
  showSettings(answer);
  return answer;
}

/** Shows settings that were just heard. @param {object} heard */
export function showSettings(heard) {
  const changed = JSON.stringify(heard) !== JSON.stringify(settings);
  settings = heard;
  if (modes) {
    modes.disabled = false;
    modes.value = heard.memory_mode;
    modes.dataset.mode = heard.memory_mode;
  }
  if (changed) document.dispatchEvent(new CustomEvent("settingschange", { detail: heard }));
}

async function changeMode() {
  const before = settings.memory_mode;
  try {
    const wanted = { space: currentSpace(), memory_mode: modes.value };
    showSettings(await post("/v1/memory/settings", wanted));
    const { name, told } = modeNamed(settings.memory_mode);
    toast(`Memory is ${name.toLowerCase()}. ${told}`);
  } catch (problem) {
    modes.value = before;
    toast(`Memory was not changed. ${problem.message}`);
  }
}

function wantIncognito() {
  const on = mask.getAttribute("aria-checked") !== "true";
  document.dispatchEvent(new CustomEvent("incognitowanted", { detail: { on } }));
}
