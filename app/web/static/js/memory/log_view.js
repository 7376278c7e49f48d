/** What was done with the memory: who, when and what, in sentences. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";
import { auditItem } from "./history.js";
import { failure, skeleton } from "./states.js";
import { viewHead } from "./views.js";

const PAGE = 50;
const TOLD =
  "Everything that was done with your memory, in all spaces, the newest first. It never holds " +
  "the words of a memory.";

export class LogView {
  constructor() {
    this.lines = el("ol", { class: "audit-lines log", "aria-label": "What was done" });
    this.place = el("div", {});
    const props = { type: "button", class: "button more", hidden: true };
    this.button = el("button", { ...props, on: { click: () => this.more() } }, "Load more");
    this.element = el("div", {}, viewHead("Log", TOLD), this.place, this.button);
  }

  async load({ quiet = false } = {}) {
    if (quiet && this.lines.childElementCount > PAGE) return;
    if (!quiet) this.place.replaceChildren(skeleton(3));
    try {
      const page = await get("/v1/memory/audit", { limit: PAGE });
      this.lines.replaceChildren();
      this.append(page);
      const none = el("p", { class: "state" }, "Nothing was done with your memory yet.");
      this.place.replaceChildren(page.entries.length ? this.lines : none);
    } catch (problem) {
      if (!quiet) this.place.replaceChildren(failure(problem, () => this.load()));
    }
  }

  async more() {
    this.button.disabled = true;
    try {
      const page = await get("/v1/memory/audit", { limit: PAGE, cursor: this.next });
      const [first] = this.append(page);
      first?.focus();
      document.getElementById("announcer").textContent = `${page.entries.length} more`;
    } catch (problem) {
      toast(problem.detail);
    }
    this.button.disabled = false;
  }

  append(page) {
    const items = page.entries.map(auditItem);
    for (const item of items) item.tabIndex = -1;
    this.lines.append(...items);
    this.next = page.next;
    this.button.hidden = !page.next;
    return items;
  }
}
