/** Pin, fix and forget, right beside a memory. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";
import { setPinned, toChange } from "./changing.js";
import { fixForm } from "./fixing.js";
import { bringBack, forgetAfterAsking, forgetWithUndo, undoUntil } from "./forgetting.js";

/**
 * The buttons of one memory. They change the memory themselves and tell of it:
 * `onChanged(entry)` after a pin or a fix, `onForgotten({id, forgotten, undo_until})`, and
 * `onRestored(entry)` after an undo. Where `pinned` is not known (a memory under an answer), it is
 * asked for once the buttons are seen.
 *
 * @param {{id: string, text: string, pinned?: boolean}} entry an Entry, or a Used
 * @param {{onChanged?: Function, onForgotten?: Function, onRestored?: Function}} callbacks
 * @returns {HTMLElement}
 */
export function entryActions(entry, callbacks = {}) {
  const actions = new Actions(entry, callbacks);
  if (entry.pinned === undefined) actions.learnWhenSeen();
  return actions.element;
}

class Actions {
  constructor(entry, callbacks) {
    this.entry = entry;
    this.callbacks = callbacks;
    this.element = el("div", { class: "entry-actions" });
    this.buttons();
  }

  buttons() {
    const pinned = Boolean(this.entry.pinned);
    this.pin = this.button("pin", pinned ? "Unpin" : "Pin", () => this.togglePin());
    this.fix = this.button("fix", "Fix", () => this.openForm());
    const forget = this.button("forget", "Forget", () => this.forget());
    const forGood = this.button("for-good", "For good…", () => this.forgetForGood());
    forGood.title = "Forget for good, after asking";
    this.element.replaceChildren(this.pin, this.fix, forget, forGood);
  }

  button(act, words, does) {
    const on = { click: () => this.attempt(does) };
    const props = { type: "button", class: "button small", "aria-label": this.named(words) };
    return el("button", { ...props, dataset: { act }, on }, words);
  }

  named(words) {
    return `${words}: ${this.entry.text}`;
  }

  /** Says what went wrong; the buttons stay, so that it can be tried again. */
  async attempt(does) {
    if (this.busy) return;
    this.busy = true;
    try {
      await does();
    } catch (problem) {
      if (problem.status === 404) this.gone();
      else toast(problem.detail ?? "That did not work. Try again.");
    } finally {
      this.busy = false;
    }
  }

  async togglePin() {
    this.changed(await setPinned(this.entry.id, !this.entry.pinned));
    toast(this.entry.pinned ? "Pinned: it is never trimmed." : "Unpinned.");
    this.pin.focus();
  }

  /** With the words that it has now, which may be others than those on this page. */
  async openForm() {
    const opened = await toChange(this.entry.id);
    if (!this.element.isConnected) return;
    const keepUp = () => opened.entry.text === this.entry.text || this.changed(opened.entry);
    keepUp();
    const close = () => {
      this.buttons();
      keepUp();
      this.fix.focus();
    };
    const onSaved = (entry) => {
      this.changed(entry);
      toast("Saved. The old words are kept in its history.");
      this.fix.focus();
    };
    const form = fixForm(opened, { onSaved, onCancel: close });
    this.element.replaceChildren(form);
    form.focusWords();
  }

  async forget() {
    const onRestored = (entry) => this.restored(entry);
    const onForgotten = (answer) => this.forgotten(answer);
    await forgetWithUndo(this.entry, { onForgotten, onRestored });
  }

  async forgetForGood() {
    const onForgotten = (answer) => this.forgotten(answer);
    await forgetAfterAsking(this.entry, { onForgotten });
  }

  changed(entry) {
    this.entry = { ...this.entry, ...entry };
    this.buttons();
    this.callbacks.onChanged?.(entry);
  }

  /** The buttons give way to what became of it, with the focus, unless the page takes them away. */
  forgotten(answer) {
    const told = el("span", { class: "muted small", tabindex: "-1" }, undoUntil(answer));
    this.element.replaceChildren(told);
    if (answer.undo_until) this.element.append(this.undoButton());
    told.focus();
    this.callbacks.onForgotten?.(answer);
  }

  undoButton() {
    const back = () => bringBack(this.entry.id, (entry) => this.restored(entry));
    return this.button("undo", "Undo", back);
  }

  restored(entry) {
    this.entry = { ...this.entry, ...entry };
    this.buttons();
    if (this.element.isConnected) this.element.querySelector("[data-act=forget]").focus();
    this.callbacks.onRestored?.(entry);
  }

  gone() {
    this.element.replaceChildren(el("span", { class: "muted small" }, "It was forgotten since."));
    const { id } = this.entry;
    this.callbacks.onForgotten?.({ id, forgotten: [id], undo_until: null });
  }

  learnWhenSeen() {
    const watcher = new IntersectionObserver((seen) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      watcher.disconnect();
      this.learn();
    });
    watcher.observe(this.element);
  }

  /** Without an answer the buttons stay as they are. */
  async learn() {
    const known = await get(`/v1/memory/entries/${this.entry.id}`).catch(() => null);
    if (!known || this.entry.pinned !== undefined) return;
    this.entry.pinned = known.pinned;
    const words = known.pinned ? "Unpin" : "Pin";
    this.pin.textContent = words;
    this.pin.setAttribute("aria-label", this.named(words));
  }
}
