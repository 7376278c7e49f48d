/** The memories by month: when they were learned, or when what they tell of happened. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { monthName } from "../entry/dates.js";
import { choice, labelled } from "../fields.js";
import { isOff } from "../modes.js";
import { currentSettings, currentSpace } from "../shell.js";
import { toast } from "../toast.js";
import { entryCard } from "./card.js";
import { keepingFocus } from "./focus.js";
import { failure, nothingYet, skeleton } from "./states.js";
import { viewHead } from "./views.js";

const PAGE = 100;
const TOLD = "What was replaced is shown in its place, marked as such.";
const ORDERS = [
  ["created_at", "When it was learned"],
  ["occurred_at", "When it happened"],
];
const NO_DAYS = "Nothing that is remembered tells of a certain day.";

export class TimelineView {
  constructor(page) {
    this.page = page;
    this.entries = [];
    this.order = choice(ORDERS, "created_at");
    this.order.addEventListener("change", () => this.draw());
    this.months = el("div", { class: "months" });
    const props = { type: "button", class: "button more", hidden: true };
    this.button = el("button", { ...props, on: { click: () => this.more() } }, "Show earlier");
    const by = el("div", { class: "timeline-order" }, labelled("Order", this.order));
    this.element = el("div", {}, viewHead("Timeline", TOLD), by, this.months, this.button);
  }

  async load({ quiet = false } = {}) {
    if (!quiet) this.months.replaceChildren(skeleton(4));
    try {
      const page = await this.ask(null, Math.max(PAGE, Math.min(this.entries.length, 200)));
      this.entries = page.entries;
      this.next = page.next;
      this.draw();
    } catch (problem) {
      if (!quiet) this.months.replaceChildren(failure(problem, () => this.load()));
    }
  }

  async more() {
    this.button.disabled = true;
    try {
      const page = await this.ask(this.next, PAGE);
      this.entries.push(...page.entries);
      this.next = page.next;
      this.draw();
      this.months.querySelector(`[data-id="${page.entries[0]?.id}"]`)?.focus();
    } catch (problem) {
      toast(problem.detail);
    }
    this.button.disabled = false;
  }

  ask(cursor, limit) {
    const params = { space: currentSpace(), include_replaced: true, limit, cursor };
    return get("/v1/memory/entries", params);
  }

  draw() {
    const months = byMonth(this.entries, this.order.value);
    this.button.hidden = !this.next;
    keepingFocus(() => this.months.replaceChildren(...this.partsOf(months)));
    document.getElementById("announcer").textContent = `${months.length} months`;
  }

  partsOf(months) {
    if (!this.entries.length) {
      return [nothingYet({ off: isOff(currentSettings()), add: this.page.add })];
    }
    if (!months.length) return [el("p", { class: "state" }, NO_DAYS)];
    return months.map((month) => this.section(month));
  }

  section({ key, name, entries }) {
    const id = `month-${key}`;
    const cards = entries.map((each) => entryCard(each, this.page.desk));
    return el(
      "section",
      { class: "month", "aria-labelledby": id },
      el("h3", { id }, name, " ", el("span", { class: "bank-count" }, String(entries.length))),
      el("ul", { class: "cards timeline" }, cards),
    );
  }
}

/**
 * The newest month first, and in it the newest memory; without those that have no such time. Pure.
 * @param {import("../shapes.js").MemoryEntry[]} entries
 * @param {"created_at"|"occurred_at"} field
 * @returns {{key: string, name: string, entries: import("../shapes.js").MemoryEntry[]}[]}
 */
function byMonth(entries, field) {
  const dated = entries.filter((each) => each[field]);
  dated.sort((one, other) => new Date(other[field]) - new Date(one[field]));
  const months = new Map();
  for (const entry of dated) {
    const at = new Date(entry[field]);
    const key = `${at.getFullYear()}-${at.getMonth() + 1}`;
    if (!months.has(key)) months.set(key, { key, name: monthName(at), entries: [] });
    months.get(key).entries.push(entry);
  }
  return [...months.values()];
}
