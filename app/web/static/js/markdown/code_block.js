/** A block of code under its language and a button that copies it. */

import { el, icon } from "../elements.js";

const SHOWN = 2000;

/**
 * @param {string} text @param {string} [info] what stands behind the fence
 * @returns {HTMLElement} its `code` element holds one text node
 */
export function codeBlock(text, info = "") {
  const language = info.trim().split(/\s+/)[0];
  const code = el("code", {}, text || "\u200b");
  const label = language || "code";
  const copy = el("button", { type: "button", class: "button small copy" }, icon("copy"), el("span", {}, "Copy"));
  copy.setAttribute("aria-label", `Copy this ${label === "code" ? "code" : `${label} code`}`);
  copy.addEventListener("click", () => copied(copy, code.textContent));
  return el(
    "div",
    { class: "code-block", dataset: { language } },
    el("div", { class: "code-head" }, el("span", {}, label), copy),
    el("pre", { tabindex: "0", role: "region", "aria-label": `${label} block` }, code),
  );
}

/**
 * Lets a block that is shown grow instead of making it anew.
 * @param {HTMLElement} block @param {string} text
 */
export function growCode(block, text) {
  const node = block.querySelector("code").firstChild;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text || "\u200b";
}

async function copied(button, text) {
  const label = button.querySelector("span");
  label.textContent = (await toClipboard(text)) ? "Copied" : "Not copied";
  setTimeout(() => (label.textContent = "Copy"), SHOWN);
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard without https, or it is forbidden
  }
}
