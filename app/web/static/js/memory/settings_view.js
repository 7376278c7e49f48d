/** How memory works in the space, and what can be done with all of it. */

import { get, post } from "../api.js";
import { el } from "../elements.js";
import { choice, labelled, ticked } from "../fields.js";
import { MODES } from "../modes.js";
import { currentSpace, showSettings } from "../shell.js";
import { toast } from "../toast.js";
import { erasePart } from "./erasing.js";
import { exportPart } from "./exporting.js";
import { importPart } from "./importing.js";
import { failure, skeleton } from "./states.js";
import { viewHead } from "./views.js";

const INCOGNITO = "New conversations begin incognito: nothing of them is stored or learned";
const REDACT = "Take passwords, keys and card numbers out of what is stored of conversations";
const NOTICES = [
  ["all", "All that is noted, replaced or left out"],
  ["changes", "What is replaced or left out"],
  ["none", "Nothing; questions are still asked"],
];

export class SettingsView {
  constructor(page) {
    this.page = page;
    this.form = el("form", { class: "card settings-form" });
    this.form.addEventListener("change", (event) => this.save(event.target));
    this.heard = (event) => this.show(event.detail);
    document.addEventListener("settingschange", this.heard);
    const parts = [exportPart(), importPart(page), erasePart(page)];
    this.element = el("div", { class: "settings" }, viewHead("Settings"), this.form, parts);
  }

  leave() {
    document.removeEventListener("settingschange", this.heard);
  }

  async load({ quiet = false } = {}) {
    if (!quiet) this.form.replaceChildren(skeleton(2));
    try {
      const settings = await get("/v1/memory/settings", { space: currentSpace() });
      showSettings(settings);
      this.show(settings);
    } catch (problem) {
      if (!quiet) this.form.replaceChildren(failure(problem, () => this.load()));
    }
  }

  /** The same fields while they are there, so that none loses the focus. */
  show(settings) {
    if (!this.form.elements.memory_mode) this.form.replaceChildren(...this.fields(settings.space));
    this.form.querySelector("h3").textContent = `How memory works in “${settings.space}”`;
    this.form.elements.memory_mode.value = settings.memory_mode;
    this.form.elements.incognito_default.checked = settings.incognito_default;
    this.form.elements.redact_messages.checked = settings.redact_messages;
    this.form.elements.notices.value = settings.notices;
  }

  fields(space) {
    return [
      el("h3", {}, `How memory works in “${space}”`),
      el("fieldset", { class: "modes" }, el("legend", {}, "Memory"), MODES.map(modeChoice)),
      ticked(INCOGNITO, false, { name: "incognito_default" }),
      ticked(REDACT, false, { name: "redact_messages" }),
      labelled("What is told under an answer", choice(NOTICES, "all", { name: "notices" })),
    ];
  }

  async save(field) {
    const value = field.type === "checkbox" ? field.checked : field.value;
    try {
      const body = { space: currentSpace(), [field.name]: value };
      showSettings(await post("/v1/memory/settings", body));
      toast("Saved.");
    } catch (problem) {
      toast(`Nothing was changed. ${problem.detail}`);
      await this.load({ quiet: true });
    }
  }
}

function modeChoice({ mode, name, told }) {
  const box = el("input", { type: "radio", name: "memory_mode", value: mode });
  const words = el("span", {}, el("strong", {}, name), ` ${told}`);
  return el("label", { class: "ticked" }, box, words);
}
