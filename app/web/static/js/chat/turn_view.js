/** One turn on the page: what was said, and the answer. */

import { el, iconButton } from "../elements.js";
import { AnswerView } from "./answer_view.js";

const NO_ANSWER = "No answer to this was stored.";

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
    this.isKept = true; // it is one of the conversation's, and can be taken back
    this.isPrivate = false; // it was said incognito
    this.isStored = false; // its message is, or was, among the stored ones
    this.isSaved = false; // and so is the answer
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
    const open = last && this.closed && this.isKept && this.id !== null;
    this.edit.hidden = !open;
    this.answer.retry.hidden = !open;
  }

  /** It is being answered. @param {string} id @param {{kept: boolean, privacy: string}} how */
  began(id, { kept, privacy }) {
    Object.assign(this, { id, isKept: kept, isStored: kept && privacy === "normal" });
    this.setPrivate(privacy !== "normal");
  }

  /** @param {boolean} isPrivate */
  setPrivate(isPrivate) {
    this.isPrivate = isPrivate;
    this.element.classList.toggle("is-private", isPrivate);
  }

  /**
   * A stored turn. Where nothing was answered that is told, unless it is being answered.
   * @param {import("./stored_turns.js").StoredTurn} stored @param {{isRunning: boolean}} how
   */
  show(stored, { isRunning }) {
    Object.assign(this, { id: stored.id, closed: true, isStored: true, isSaved: true });
    this._say(stored.said);
    if (stored.answer) this.answer.show(stored.answer);
    else if (!isRunning) this.answer.failed(NO_ANSWER);
  }

  /** As it is stored now: in other words where something in it was forgotten, or without a side. */
  retell(stored) {
    this._say(stored.said);
    if (stored.answer) this.answer.retell(stored.answer.text);
    else if (this.isSaved && this.answer.text) this.answer.gone(NO_ANSWER);
  }

  /** What was said stands on an older page than the answer. */
  complete({ said }) {
    if (said) this._say(said);
  }

  /** It is being answered, and heard from its first event. */
  join(id) {
    Object.assign(this, { id, closed: false });
    this.said.hidden = !this.text;
    this.answer.restart();
  }

  _say(said) {
    this.said.hidden = !said;
    this.text = said?.text ?? "";
    if (this.bubble.textContent !== this.text) this.bubble.textContent = this.text;
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
