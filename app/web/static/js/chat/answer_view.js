/** One answer: its words as they come, and what stands under them. */

import { el, icon, iconButton } from "../elements.js";
import { GrowingMarkdown, showMarkdown } from "../markdown/growing.js";
import { learnedParts, noted, noticeList } from "./learned.js";
import { memoriesUsed } from "./memories_used.js";
import { questionBox } from "./question.js";

const THINKING = "Thinking…";
const LOST = "The connection was lost. Trying to get it back…";
const ENDED = {
  interrupted: "This answer was stopped before its end.",
  withheld: "This answer was withheld.",
  failed: "This answer could not be finished.",
};

export class AnswerView {
  /** @param {{verbatim: boolean, onRetry: () => void, rows: object}} how `rows`: the callbacks of
   * memories under the answer */
  constructor({ verbatim, onRetry, rows }) {
    this.verbatim = verbatim;
    this.rows = rows;
    this.onRetry = onRetry;
    this.words = el("div", { class: "markdown" });
    this.status = el("p", { class: "answer-status muted" });
    this.after = el("div", { class: "answer-after" });
    this.retry = iconButton("retry", "Answer again", { on: { click: onRetry } });
    this.copy = iconButton("copy", "Copy the answer", { on: { click: () => this._copy() } });
    this.tools = el("div", { class: "answer-tools" }, this.copy, this.retry);
    this.element = el(
      "div",
      { class: "answer" },
      el("h2", { class: "visually-hidden" }, "Keepsake"),
      this.words,
      this.status,
      this.after,
      this.tools,
    );
    this._begin();
  }

  get text() {
    return this.growing.text;
  }

  /** What comes is shown line by line, as it was written: it is a command's, and no Markdown. */
  showPlainly() {
    this.verbatim = true;
    this._begin();
  }

  /** Nothing has come yet; what comes is drawn from its beginning. */
  waiting(said = THINKING) {
    if (!this.text) this._say(said, "is-waiting");
    this.tools.hidden = true;
  }

  /** From the first event again, after a reload. */
  restart() {
    this._begin();
    this.words.replaceChildren();
    this.waiting();
  }

  add(text) {
    if (!this.text) this._say("");
    this.growing.add(text);
  }

  line(up) {
    this._say(up ? "" : LOST, up ? "" : "is-waiting");
    if (up) this.waiting();
  }

  /** @param {object} done the event, or a stored message with a status and memories */
  close(done) {
    this.growing.finish();
    this._say(ENDED[done.status] ?? "", "is-ended");
    this.tools.hidden = false;
    const kept = done.kept ?? [];
    this.used = memoriesUsed(done, this.rows);
    this._under(noticeList(done.notices ?? []), noted(kept, "Kept:", this.rows), this.used?.element);
  }

  /** @param {import("../shapes.js").AskedQuestion} asked @param {(answer: string) => void} onAnswer */
  ask(asked, onAnswer) {
    this._under((this.question = questionBox(asked, onAnswer)));
  }

  /** Something else was said: what was asked is answered, or taken back. */
  settle() {
    this.question?.querySelector(".doubt-buttons")?.remove();
  }

  learned(data) {
    this.after.prepend(...learnedParts(data, this.rows));
  }

  /** A stored answer. */
  show(message) {
    this.growing.text = message.text;
    showMarkdown(this.words, message.text, { verbatim: this.verbatim });
    this.close(message);
  }

  /** Other words than before: something in them was forgotten. */
  retell(text) {
    if (text !== this.text) showMarkdown(this.words, (this.growing.text = text), { verbatim: this.verbatim });
  }

  /** It is not stored any more. @param {string} sentence what is said in its place */
  gone(sentence) {
    this.retell("");
    this.after.replaceChildren();
    this.failed(sentence);
  }

  /** Memories were forgotten; none of their words stay in what is said about the answer. */
  forgot(ids) {
    this.used?.forgot(ids);
  }

  /**
   * What went wrong, with a way on.
   * @param {string} sentence
   * @param {Object<string, () => void>} ways what can be done, by its name
   */
  failed(sentence, ways = { "Try again": this.onRetry }) {
    this.growing.finish();
    this._say("");
    const buttons = Object.entries(ways).map(([name, click]) =>
      el("button", { type: "button", class: "button small", on: { click } }, name),
    );
    this.error?.remove();
    this.error = el("div", { class: "answer-error", role: "alert" }, icon("warning"), el("p", {}, sentence), buttons);
    this.after.before(this.error);
    this.tools.hidden = true;
  }

  _begin() {
    this.growing = new GrowingMarkdown(this.words, { verbatim: this.verbatim });
    this.error?.remove();
    this.after.replaceChildren();
  }

  _say(text, kind = "") {
    this.status.textContent = text;
    this.status.className = `answer-status muted ${kind}`;
    this.status.hidden = !text;
  }

  _under(...parts) {
    this.after.append(...parts.filter(Boolean));
  }

  async _copy() {
    const done = await navigator.clipboard?.writeText(this.text).then(() => true, () => false);
    this.copy.replaceChildren(icon(done ? "check" : "warning"));
    setTimeout(() => this.copy.replaceChildren(icon("copy")), 2000);
  }
}
