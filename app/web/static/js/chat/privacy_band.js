/** The band over the messages that says how private they are, and how memory is set. */

import { el, icon } from "../elements.js";

const MODES = {
  off: "Memory is off in this space: nothing is recalled, and nothing is noted. The messages are stored.",
  read_only: "Memory is read-only in this space: it is used, and nothing new is noted.",
};

export class PrivacyBand {
  /** @param {{onReads: (reads: boolean) => void}} callbacks where the person lets an incognito chat
   * read memory, or no longer */
  constructor({ onReads }) {
    this.reads = el("input", { type: "checkbox", id: "incognito-reads", on: { change: () => onReads(this.reads.checked) } });
    this.element = el("div", { class: "bands" });
  }

  /** @param {string} privacy @param {string} mode of memory */
  show(privacy, mode) {
    const bands = [];
    if (privacy !== "normal") bands.push(this._incognito(privacy));
    else if (MODES[mode]) bands.push(el("div", { class: "band mode-band", role: "note" }, MODES[mode]));
    this.element.replaceChildren(...bands);
  }

  _incognito(privacy) {
    this.reads.checked = privacy === "incognito_read_only";
    return el(
      "div",
      { class: "band incognito-band", role: "note", "aria-label": "Incognito" },
      icon("mask"),
      el("strong", {}, "Nothing of this is kept"),
      el("label", { class: "reads", for: "incognito-reads" }, this.reads, "It may read my memories"),
    );
  }
}
