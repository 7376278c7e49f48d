/** The memories: by bank where nothing is narrowed, else a list of what matches. */

import { el } from "../elements.js";
import { isOff } from "../modes.js";
import { currentSettings, currentSpace } from "../shell.js";
import { Asking, isGivenUp } from "./asking.js";
import { BankChips } from "./bank_chips.js";
import { asParams, everything, isNarrowed, readFilter, writeFilter } from "./filter.js";
import { FilterForm } from "./filter_form.js";
import { EntryList } from "./entry_list.js";
import { keepingFocus } from "./focus.js";
import { overviewOf } from "./overview.js";
import { failure, nothingFound, nothingYet, skeleton } from "./states.js";
import { viewHead } from "./views.js";

export class MemoriesView {
  constructor(page) {
    this.page = page;
    this.asking = new Asking();
    this.filter = readFilter(location.search);
    this.form = new FilterForm(this.filter, (changes) => this.narrow(changes));
    this.chips = new BankChips((bank) => this.narrow({ bank }));
    this.results = el("div", { class: "results" });
    const [head] = viewHead("Memories");
    head.classList.add("visually-hidden");
    this.element = el("div", {}, head, this.form.element, this.chips.element, this.results);
    if (page.banks) this.showBanks(page.banks);
  }

  /** Shows what the filter leaves; `quiet` without the skeleton, and only where it is other. */
  async load({ quiet = false } = {}) {
    if (!quiet) this.results.replaceChildren(skeleton());
    this.results.setAttribute("aria-busy", String(!quiet));
    try {
      await (isNarrowed(this.filter) ? this.loadList(quiet) : this.loadOverview(quiet));
    } catch (problem) {
      if (isGivenUp(problem)) return;
      if (!quiet) this.fail(problem);
    }
    this.results.setAttribute("aria-busy", "false");
  }

  leave() {
    this.asking.giveUp();
  }

  showBanks(banks, total = banks.reduce((sum, each) => sum + each.count, 0)) {
    this.chips.show(banks, total, this.filter.bank);
  }

  async loadOverview(quiet) {
    const summary = await this.asking.get("/v1/memory/summary", { space: currentSpace() });
    if (!this.isNews(summary) && quiet) return;
    const off = isOff(currentSettings());
    const shown = summary.count
      ? overviewOf(summary, this.page.desk, (bank) => this.narrow({ bank }, { focus: true }))
      : nothingYet({ off, add: this.page.add });
    this.show(shown, `${summary.count} remembered`);
  }

  async loadList(quiet) {
    if (quiet && this.list?.isLong) return;
    const list = new EntryList({
      params: asParams(this.filter, currentSpace()),
      desk: this.page.desk,
      asking: this.asking,
    });
    const first = await list.first(quiet ? this.list?.count : 0);
    if (!this.isNews(first) && quiet) return;
    this.list = list;
    const clear = () => this.narrow(everything(), { focus: true });
    const found = first.entries.length;
    this.show(found ? list.element : nothingFound(clear), list.told());
  }

  isNews(answer) {
    const said = writeFilter(this.filter) + JSON.stringify(answer);
    const isNew = said !== this.said;
    this.said = said;
    return isNew;
  }

  show(content, words) {
    keepingFocus(() => this.results.replaceChildren(content));
    document.getElementById("announcer").textContent = words;
  }

  fail(problem) {
    this.said = null;
    this.results.replaceChildren(failure(problem, () => this.load()));
  }

  /** Takes over a change of the filter. `focus` goes to the results, after a button in them. */
  async narrow(changes, { focus = false } = {}) {
    this.filter = { ...this.filter, ...changes };
    history.replaceState(null, "", `/memory${writeFilter(this.filter)}${location.hash}`);
    this.form.show(this.filter);
    this.chips.mark(this.filter.bank);
    this.page.desk.selection.clear();
    await this.load();
    if (focus) document.querySelector(".results h3, .entry, #memory-search")?.focus();
  }
}
