/** The field for a message, and the button that sends it or stops the answer. */

import { el, icon } from "../elements.js";
import { store, stored } from "../stored.js";

const HINT = "Enter sends, Shift+Enter begins a new line, Esc stops an answer. /help shows what can be said.";
const TOUCH = matchMedia("(hover: none)");
const BUSY = "Keepsake is still answering. Press Esc to stop it.";

export class Composer {
  /** @param {{onSend: (text: string) => void, onStop: () => void}} callbacks */
  constructor({ onSend, onStop }) {
    this.callbacks = { onSend, onStop };
    this.conversation = null;
    this.privacy = "normal";
    this.busy = false;
    this.field = this._field();
    this.hint = el("p", { id: "message-hint", class: "hint small muted" }, HINT);
    this.button = el("button", { type: "submit", class: "send button primary" });
    const row = el("div", { class: "composer-row" }, this.field, this.button);
    const label = el("label", { for: "message", class: "visually-hidden" }, "Message to Keepsake");
    this.element = el("form", { class: "composer", "aria-label": "New message" }, label, row, this.hint);
    this.element.addEventListener("submit", (event) => (event.preventDefault(), this._submit()));
    this.setBusy(false);
  }

  /** Another conversation: its draft is there again. */
  open(conversation, privacy) {
    this.conversation = conversation;
    this.privacy = privacy;
    this.write(privacy === "normal" ? draftOf(conversation) : "");
  }

  /** The conversation has begun, has become private, or what was sent has arrived there: what is
   * typed stays, and it alone is kept here. */
  follow(conversation, privacy) {
    const moved = conversation !== this.conversation;
    if (moved || privacy !== "normal") keepDraft(this.conversation, "", this.privacy);
    this.conversation = conversation;
    this.privacy = privacy;
    keepDraft(conversation, this.field.value, privacy);
  }

  /** What was typed was no message: nothing of it is kept. */
  drop() {
    this.write("");
    keepDraft(this.conversation, "", this.privacy);
  }

  write(text) {
    this.field.value = text;
    this._grow();
  }

  /** Not on a touch screen, where it would open the keyboard. */
  focus() {
    const place = TOUCH.matches ? document.getElementById("main") : this.field;
    place.focus({ preventScroll: true });
  }

  setBusy(busy) {
    this.busy = busy;
    this.hint.textContent = HINT;
    this.button.classList.toggle("stop", busy);
    this.button.replaceChildren(icon(busy ? "stop" : "send"), el("span", {}, busy ? "Stop" : "Send"));
  }

  _field() {
    const field = el("textarea", {
      id: "message",
      class: "field",
      rows: 1,
      placeholder: "Tell me something, or ask…",
      "aria-describedby": "message-hint",
      autocomplete: "off",
    });
    field.addEventListener("input", () => this._typed());
    field.addEventListener("keydown", (event) => this._key(event));
    return field;
  }

  _typed() {
    this._grow();
    keepDraft(this.conversation, this.field.value, this.privacy);
  }

  _key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (this.busy) this.hint.textContent = BUSY;
    else this._submit();
  }

  _submit() {
    if (this.busy) return this.callbacks.onStop();
    const text = this.field.value.trim();
    if (!text) return this.focus();
    this.write(""); // the draft stays until the message has arrived
    return this.callbacks.onSend(text);
  }

  _grow() {
    this.field.style.setProperty("height", "auto");
    this.field.style.setProperty("height", `${this.field.scrollHeight + 2}px`);
  }
}

/** What was typed and not sent survives a reload; of an incognito chat nothing is kept here. */
function draftOf(conversation) {
  return stored(draftName(conversation)) ?? "";
}

function keepDraft(conversation, text, privacy) {
  store(draftName(conversation), privacy === "normal" ? text : null);
}

/** null is the conversation that has yet to begin. */
function draftName(conversation) {
  return `draft-${conversation ?? "new"}`;
}
