/** The memory page: which part of it is shown, and what all parts share. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { noticeOf } from "../modes.js";
import { currentSettings, currentSpace, mountShell } from "../shell.js";
import { toast } from "../toast.js";
import { addMemory } from "./entry_form.js";
import { Desk } from "./desk.js";
import { focusEntry } from "./focus.js";
import { LogView } from "./log_view.js";
import { MemoriesView } from "./memories_view.js";
import { QuestionsView } from "./questions_view.js";
import { SettingsView } from "./settings_view.js";
import { skeleton, failure } from "./states.js";
import { TimelineView } from "./timeline_view.js";
import { drawViews, nameOf } from "./views.js";

const VIEWS = {
  memories: MemoriesView,
  timeline: TimelineView,
  questions: QuestionsView,
  log: LogView,
  settings: SettingsView,
};
const place = (id) => document.getElementById(id);

/** Draws the parts into the page and keeps them fresh. */
class Page {
  constructor() {
    this.desk = new Desk({
      reload: (id) => this.reload(id),
      refresh: () => {
        this.view.said = null; // cards are gone from what it drew, so that nothing it hears is old news
        return this.refresh();
      },
      changed: () => this.count(),
    });
    this.add = this.add.bind(this);
    document.body.append(this.desk.selection.bar);
    place("memory-add").addEventListener("click", this.add);
    window.addEventListener("hashchange", () => this.open({ focus: true }));
    document.addEventListener("spacechange", () => this.open());
    document.addEventListener("settingschange", () => this.showNotice());
    window.addEventListener("focus", () => this.refresh());
  }

  async begin() {
    place("memory-view").replaceChildren(skeleton());
    try {
      await mountShell({ page: "memory" });
    } catch (problem) {
      place("memory-view").replaceChildren(failure(problem, () => this.begin()));
      return;
    }
    await this.open();
  }

  /** Shows the part that the address names. `focus` moves there, after a click on its link. */
  async open({ focus = false } = {}) {
    this.desk.selection.clear();
    const name = nameOf(location.hash);
    this.view?.leave?.();
    this.view = new VIEWS[name](this);
    drawViews(place("memory-views"), name, this.questions ?? 0);
    place("memory-view").replaceChildren(this.view.element);
    if (focus) place("memory-view").querySelector("h2")?.focus();
    this.showNotice();
    await Promise.all([this.view.load(), this.count()]);
  }

  /** After something came back: the same part anew, with the focus on the memory of that id. */
  async reload(id = null) {
    await Promise.all([this.view.load({ quiet: true }), this.count()]);
    if (id) focusEntry(id);
  }

  /** What other tabs did is shown once this one is looked at, unless something is being typed. */
  async refresh() {
    if (!this.view) return;
    await (this.isBusy() ? this.count() : this.reload());
  }

  isBusy() {
    const open = ".fix-form, dialog[open], .entry details[open], .settings form:focus-within";
    return document.querySelector(open) !== null || this.desk.selection.chosen.size > 0;
  }

  /** How much there is, in the head, in the links and on the banks. Failing leaves it as it was. */
  async count() {
    const space = currentSpace();
    const asked = [get("/v1/memory/banks", { space }), get("/v1/memory/doubts", { space })];
    const [banks, doubts] = await Promise.allSettled(asked);
    if (space !== currentSpace()) return;
    if (banks.value) this.showBanks(banks.value.banks);
    if (doubts.value) this.questions = doubts.value.doubts.length;
    drawViews(place("memory-views"), nameOf(location.hash), this.questions ?? 0);
  }

  showBanks(banks) {
    this.banks = banks;
    this.desk.banks = banks.map((each) => each.bank);
    const total = banks.reduce((sum, each) => sum + each.count, 0);
    const pinned = banks.reduce((sum, each) => sum + each.pinned, 0);
    const said = `${new Intl.NumberFormat().format(total)} remembered`;
    place("memory-count").textContent = pinned ? `${said} · ${pinned} pinned` : said;
    this.view?.showBanks?.(banks, total);
  }

  showNotice() {
    const notice = noticeOf(currentSettings());
    place("memory-notice").hidden = !notice;
    place("memory-notice").replaceChildren(...(notice ? [el("span", {}, notice)] : []));
  }

  async add() {
    const outcome = await addMemory(currentSpace(), this.desk.banks);
    if (!outcome) return;
    toast(SAID[outcome.outcome] ?? "Kept.");
    await this.reload(outcome.entry.id);
  }
}

const SAID = {
  kept: "Kept.",
  repeated: "That was known already; it is counted as said again.",
  replaced: "Kept, in place of what was known before.",
  doubtful: "Kept. It may replace an older one: see Questions.",
};

new Page().begin();
