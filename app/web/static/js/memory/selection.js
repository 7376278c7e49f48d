/** Several memories at once: what is ticked, and the bar of what can be done with it. */

import { el } from "../elements.js";
import { forget, restore, setPinned } from "../entry/changing.js";
import { offerUndo } from "../entry/forgetting.js";
import { toast } from "../toast.js";

/** The bar shows itself while something is ticked. */
export class Selection {
  /** @param {{takeAway: Function, broughtBack: Function, reload: Function}} desk */
  constructor(desk) {
    this.desk = desk;
    this.chosen = new Map();
    this.count = el("span", { class: "selection-count", role: "status" });
    const named = { role: "region", "aria-label": "Selected memories" };
    this.bar = el(
      "div",
      { class: "selection", hidden: true, ...named },
      this.count,
      this.button("Pin", () => this.pin()),
      this.button("Forget", () => this.forget()),
      this.button("Clear", () => this.clear()),
    );
  }

  /** The box to tick of one memory. */
  box(entry) {
    const props = { type: "checkbox", class: "entry-box", "aria-label": `Select: ${entry.text}` };
    const box = el("input", { ...props, checked: this.chosen.has(entry.id) });
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.set(entry.id, entry);
      else this.chosen.delete(entry.id);
      this.show();
    });
    return box;
  }

  rename(entry) {
    const box = document.querySelector(`[data-id="${entry.id}"] .entry-box`);
    box?.setAttribute("aria-label", `Select: ${entry.text}`);
  }

  /** Memories that are no longer on the page are not chosen either. */
  drop(ids) {
    for (const id of ids) this.chosen.delete(id);
    this.show();
  }

  clear() {
    this.chosen.clear();
    for (const box of document.querySelectorAll(".entry-box")) box.checked = false;
    const hadFocus = this.bar.contains(document.activeElement);
    this.show();
    if (hadFocus) document.querySelector(".entry")?.focus();
  }

  show() {
    this.bar.hidden = this.chosen.size === 0;
    this.count.textContent = `${this.chosen.size} selected`;
  }

  button(words, click) {
    return el("button", { type: "button", class: "button small", on: { click } }, words);
  }

  async pin() {
    const ids = [...this.chosen.keys()];
    const done = await each(ids, (id) => setPinned(id, true));
    toast(`${told(done.length)} pinned.`);
    this.clear();
    this.desk.reload();
  }

  async forget() {
    const ids = [...this.chosen.keys()];
    const done = await each(ids, forget);
    this.desk.takeAway(done);
    if (!done.length) return;
    offerUndo(`${told(done.length)} forgotten. They are erased tomorrow.`, () => this.restore(done));
  }

  async restore(ids) {
    const back = await each(ids, restore);
    toast(`${told(back.length)} brought back.`);
    this.desk.broughtBack(back[0]);
  }
}

/** One after the other; the ids with which it went well. The first failure ends it, and is told. */
async function each(ids, act) {
  const done = [];
  try {
    for (const id of ids) {
      await act(id);
      done.push(id);
    }
  } catch (problem) {
    toast(problem.detail ?? "Not all of it could be done.");
  }
  return done;
}

function told(count) {
  return count === 1 ? "1 memory" : `${count} memories`;
}
