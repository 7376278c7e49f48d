/** The banks with what is in them; one of them may be chosen. */

import { el } from "../elements.js";

export class BankChips {
  /** @param {(bank: string) => void} choose "" is all of them */
  constructor(choose) {
    this.choose = choose;
    this.list = el("ul", { class: "chips" });
    const named = { class: "chips-row", role: "group", "aria-label": "Banks" };
    this.element = el("div", named, this.list);
  }

  /** Draws them once and then only counts anew, so that none loses the focus. */
  show(banks, total, chosen) {
    const rows = [{ bank: "", count: total }, ...banks];
    const names = rows.map((each) => each.bank).join("\n");
    if (names !== this.names) this.list.replaceChildren(...rows.map((each) => this.chip(each)));
    this.names = names;
    for (const { bank, count } of rows) {
      const chip = this.of(bank);
      chip.querySelector(".chip-count").textContent = String(count);
      chip.classList.toggle("empty", count === 0);
    }
    this.mark(chosen);
  }

  mark(chosen) {
    for (const chip of this.list.querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.bank === chosen));
    }
  }

  of(bank) {
    return this.list.querySelector(`button[data-bank="${CSS.escape(bank)}"]`);
  }

  chip({ bank }) {
    const on = { click: () => this.choose(bank) };
    const props = { type: "button", class: "chip", dataset: { bank }, on };
    const count = el("span", { class: "chip-count" });
    return el("li", {}, el("button", props, bank || "All", " ", count));
  }
}
