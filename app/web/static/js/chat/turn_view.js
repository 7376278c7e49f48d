/** One turn on the page: what was said, and the answer. */

import { el, iconButton } from "../elements.js";
import { AnswerView } from "./answer_view.js";

export class TurnView {
  /**
   * @param {string} text what was said
   * @param {{verbatim: boolean, rows: object, onRetry: (turn: TurnView) => void,
   *   onEdit: (turn: TurnView, text: string) => void}} how
   */
  constructor(text, { verbatim, rows, onRetry, onEdit }) {
    this.id = null;
    this.text = text;
    this.closed = false;
    this.onEdit = onEdit;
    this.bubble = el("div", { class: "bubble" }, text);
    this.edit = iconButton("edit", "Edit this message", { class: "edit", on: { click: () => this._openEdit() } });
    this.said = el("div", { class: "said" }, el("h2", { class: "visually-hidden" }, "You"), this.edit, this.bubble);
    this.answer = new AnswerView({ verbatim, rows, onRetry: () => onRetry(this) });
    this.element = el("article", { class: "turn", "aria-label": "One turn" }, this.said, this.answer.element);
    this.setLast(false);
  }

  /** Only the last turn can be taken back, and not while it is being answered. @param {boolean} last */
  setLast(last) {
    const open = last && this.closed && this.id !== null;
    this.edit.hidden = !open;
    this.answer.retry.hidden = !open;
  }

  /** @param {string} text @param {string} answer */
  retell(text, answer) {
    if (text !== this.text) this.bubble.textContent = this.text = text;
    if (answer !== undefined) this.answer.retell(answer);
  }

  _openEdit() {
    const field = el("textarea", { class: "field", rows: 3, value: this.text, "aria-label": "Edit your message" });
    const close = () => {
      form.replaceWith(this.bubble);
      this.edit.hidden = false;
      this.edit.focus();
    };
    const save = () => {
      const text = field.value.trim();
      close();
      if (text) this.onEdit(this, text);
    };
    const form = editForm(field, save, close);
    this.edit.hidden = true;
    this.bubble.replaceWith(form);
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }
}

function editForm(field, save, close) {
  const form = el(
    "form",
    { class: "edit-form" },
    field,
    el("p", { class: "small muted" }, "The answer is taken back with the message, and made anew."),
    el(
      "div",
      { class: "edit-buttons" },
      el("button", { type: "button", class: "button small", on: { click: close } }, "Cancel"),
      el("button", { type: "submit", class: "button small primary" }, "Send instead"),
    ),
  );
  form.addEventListener("submit", (event) => (event.preventDefault(), save()));
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") event.stopPropagation();
    if (event.key === "Escape") close();
    const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target === field;
    if (sends) event.preventDefault();
    if (sends) save();
  });
  return form;
}
