/** The band over the messages that says how private they are, and how memory is set. */

import { el, icon } from "../elements.js";
import { modeNamed } from "../modes.js";

const STORED = "The messages are stored.";
const NOTHING_KEPT = "Nothing of this is kept";
const NOT_KEPT_NOW = "What you say now is not kept; what was said before is";

export class PrivacyBand {
  /** @param {{onReads: (reads: boolean) => void}} callbacks where the person lets an incognito chat
   * read memory, or no longer */
  constructor({ onReads }) {
    this.reads = el("input", { type: "checkbox", id: "incognito-reads", on: { change: () => onReads(this.reads.checked) } });
    this.element = el("div", { class: "bands" });
  }

  /** @param {{privacy: string, hasStored: boolean}} conversation @param {string} mode of memory */
  show({ privacy, hasStored }, mode) {
    const { now } = modeNamed(mode);
    const bands = [];
    if (privacy !== "normal") bands.push(this._incognito(privacy, hasStored));
    else if (now) bands.push(el("div", { class: "band mode-band", role: "note" }, `${now} ${STORED}`));
    this.element.replaceChildren(...bands);
  }

  _incognito(privacy, hasStored) {
    this.reads.checked = privacy === "incognito_read_only";
    return el(
      "div",
      { class: "band incognito-band", role: "note", "aria-label": "Incognito" },
      icon("mask"),
      el("strong", {}, hasStored ? NOT_KEPT_NOW : NOTHING_KEPT),
      el("label", { class: "reads", for: "incognito-reads" }, this.reads, "It may read my memories"),
    );
  }
}
