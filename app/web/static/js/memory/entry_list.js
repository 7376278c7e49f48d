/** A list of memories that goes on: the first page, and more on demand. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";
import { entryCard } from "./card.js";

const PAGE = 50;
const MOST = 200;

export class EntryList {
  /** @param {{params: object, desk: object, asking: import("./asking.js").Asking}} given */
  constructor({ params, desk, asking }) {
    Object.assign(this, { params, desk, asking, count: 0, next: null });
    this.cards = el("ul", { class: "cards", "aria-label": "Memories found" });
    const click = { click: () => this.more() };
    this.button = el("button", { type: "button", class: "button more", on: click }, "Show more");
    this.element = el("div", {}, this.cards, this.button);
  }

  /** The first page, as long as what was shown before. */
  async first(atLeast = 0) {
    const limit = Math.min(Math.max(PAGE, atLeast ?? 0), MOST);
    const page = await this.asking.get("/v1/memory/entries", { ...this.params, limit });
    this.append(page);
    return page;
  }

  /** The next page; the focus goes to the first of it. */
  async more() {
    this.button.disabled = true;
    try {
      const given = { ...this.params, limit: PAGE, cursor: this.next };
      const page = await get("/v1/memory/entries", given);
      const [first] = this.append(page);
      first?.focus();
      document.getElementById("announcer").textContent = this.told();
    } catch (problem) {
      toast(problem.detail);
    }
    this.button.disabled = false;
  }

  /** Longer than one page can be: it is not shown anew, but only changed where it changes. */
  get isLong() {
    return this.count > MOST;
  }

  /** How many are shown, in words. */
  told() {
    const shown = this.count === 1 ? "1 memory" : `${this.count} memories`;
    return this.next ? `${shown} shown, and there are more` : `${shown} found`;
  }

  append(page) {
    const cards = page.entries.map((each) => entryCard(each, this.desk));
    this.cards.append(...cards);
    this.count += cards.length;
    this.next = page.next;
    this.button.hidden = !page.next;
    return cards;
  }
}
