/** One conversation on the page: its turns, and the answer that is being made. */

import { get, idempotencyKey, post, Problem } from "../api.js";
import { el } from "../elements.js";
import { beginTurn, joinTurn } from "../stream.js";
import { hideForgotten } from "./entry_row.js";
import { changedPrivacy } from "./privacy.js";
import { storedTurns } from "./stored_turns.js";
import { TAKE } from "./turn_events.js";
import { TurnView } from "./turn_view.js";

// The same message would be refused again.
const REFUSED = [413, 422];
const NO_ANSWER = "No answer to this was stored.";

export class Conversation {
  /**
   * @param {{id?: string|null, privacy?: string, space: () => string|undefined, verbatim: boolean,
   *   on: object}} begin `on`: `begun`, `busy`, `done`, `privacy`, `erased`, `edit` and `unfocused`, each
   *   called with the conversation
   */
  constructor({ id = null, privacy = "normal", space, verbatim, on }) {
    Object.assign(this, { id, privacy, space, on, title: null, turns: [], current: null, next: null });
    this.stays = new AbortController();
    this.list = el("div", { class: "turns" });
    this.more = el("button", { type: "button", class: "button small earlier", hidden: true }, "Show earlier messages");
    this.more.addEventListener("click", () => this._older());
    this.element = el("div", { class: "conversation" }, this.more, this.list);
    const changed = () => this.retell();
    this.how = {
      verbatim,
      rows: { onForgotten: (ids) => (hideForgotten(ids), changed()), onRestored: changed },
      onRetry: (turn) => this.send(turn.text, turn),
      onEdit: (turn, text) => this.send(text, turn),
    };
  }

  /** Nothing was said in it yet. */
  get isFresh() {
    return this.id === null && !this.turns.length;
  }

  get busy() {
    return this.current !== null;
  }

  /** Reads it, and joins the turn that is being answered. Throws Problem. */
  async load() {
    const path = `/v1/conversations/${encodeURIComponent(this.id)}`;
    const [told, page] = await Promise.all([get(path), storedTurns(this.id)]);
    Object.assign(this, { title: told.title, privacy: told.privacy, next: page.next });
    this.spaceName = told.space;
    const unsent = this.turns.filter((turn) => turn.id === null);
    this.list.replaceChildren();
    this.turns = [];
    for (const stored of page.turns) this._append(this._stored(stored, told.running));
    for (const turn of unsent) this._keep(turn);
    this.more.hidden = !this.next;
    if (told.running) this._join(told.running);
    this._mark();
  }

  /** Another tab may have gone on. */
  async sync() {
    if (this.busy || !this.id || this.privacy !== "normal") return;
    const [told, page] = await Promise.all([get(`/v1/conversations/${this.id}`), storedTurns(this.id)]);
    if (this.busy) return;
    const shown = this.turns.map((turn) => turn.id).filter(Boolean);
    const isNews = page.turns.some(({ id }) => !shown.includes(id)) || page.turns.at(-1)?.id !== shown.at(-1);
    if (told.running || isNews) await this.load();
    else this._retell(page.turns);
  }

  /** Shows the stored words again: those of what was forgotten are gone from them. */
  async retell() {
    if (!this.id || this.privacy !== "normal") return;
    this._retell((await storedTurns(this.id).catch(() => ({ turns: [] }))).turns);
  }

  /** Says something; `instead` is the last turn, which is then taken back. */
  send(text, instead = null, key = idempotencyKey()) {
    const replaced = instead?.id ? instead : null;
    if (this.busy) return;
    const hadFocus = instead?.element.contains(document.activeElement);
    if (instead) instead.element.hidden = true;
    if (hadFocus) this.on.unfocused(this);
    const turn = this._append(new TurnView(text, this.how));
    turn.instead = instead;
    turn.key = key;
    turn.answer.waiting();
    const body = { message: text, space: this.space(), conversation_id: this.id ?? undefined };
    if (!this.id) body.privacy = this.privacy;
    if (replaced) body.instead_of = replaced.id;
    this._follow(turn, beginTurn(body, { key, ...this._listening(turn) }));
  }

  /** Ends the answer where it is. */
  async stop() {
    const turn = this.current;
    if (!turn) return;
    turn.stopping = true;
    turn.answer.waiting("Stopping…");
    if (turn.id) await post(`/v1/chat/${turn.id}/stop`).catch(() => {});
  }

  /** @param {"start"|"end"} what @param {boolean} [readOnly] */
  async setIncognito(what, readOnly = false) {
    this.privacy = await changedPrivacy(this, what, readOnly);
    this.on.privacy(this);
  }

  _stored({ id, said, answer }, running) {
    const turn = new TurnView(said?.text ?? "", this.how);
    turn.id = id;
    turn.closed = true;
    turn.said.hidden = !said;
    if (answer) turn.answer.show(answer);
    else if (id !== running) turn.answer.failed(NO_ANSWER);
    return turn;
  }

  _append(turn) {
    this.turns.push(turn);
    this.list.append(turn.element);
    return turn;
  }

  /** What could not be sent stays below what was read anew, to be tried again. */
  _keep(turn) {
    turn.instead = this.turns.find(({ id }) => id === turn.instead?.id) ?? null;
    if (turn.instead) turn.instead.element.hidden = true;
    this._append(turn);
  }

  _join(id) {
    const turn = this.turns.find((each) => each.id === id) ?? this._append(new TurnView("", this.how));
    turn.said.hidden = !turn.text;
    turn.id = id;
    turn.closed = false;
    turn.answer.restart();
    this._follow(turn, joinTurn(id, 0, this._listening(turn)));
  }

  _listening(turn) {
    return { signal: this.stays.signal, onLine: (up) => turn.closed || turn.answer.line(up) };
  }

  async _follow(turn, events) {
    this.setCurrent(turn);
    try {
      for await (const { event, data } of events) TAKE[event]?.(this, turn, data);
    } catch (problem) {
      if (!turn.closed) this.failed(turn, problem);
    }
    if (this.current === turn) this.setCurrent(null);
  }

  /** `turn` is being answered; null where none is. */
  setCurrent(turn) {
    this.current = turn;
    this._mark();
    this.on.busy(this);
  }

  /** Says what went wrong with a turn; one that has no id was not stored. */
  failed(turn, problem) {
    if (!(problem instanceof Problem)) console.error(problem);
    const sentence = problem.detail ?? "Something went wrong on this page. Reload it to go on.";
    if (turn.id) return turn.answer.failed(sentence, { "Try again": () => this.load().catch((again) => this.failed(turn, again)) });
    const take = () => {
      this.remove(turn);
      if (turn.instead) turn.instead.element.hidden = false;
      this._mark();
    };
    // What got an answer would get the same one under its key.
    const key = problem.status === 0 ? turn.key : undefined;
    const again = () => (take(), this.send(turn.text, turn.instead, key));
    const edit = () => (take(), this.on.edit(this, turn.text));
    const ways = { "Try again": again, "Edit the message": edit };
    if (REFUSED.includes(problem.status)) delete ways["Try again"];
    return turn.answer.failed(`${sentence} Your message was not sent.`, ways);
  }

  /** Takes a turn from the page. */
  remove(turn) {
    turn.element.remove();
    this.turns = this.turns.filter((each) => each !== turn);
  }

  _mark() {
    for (const turn of this.turns) turn.setLast(!this.busy && turn === this.turns.at(-1));
  }

  _retell(stored) {
    const known = new Map(stored.map((each) => [each.id, each]));
    for (const turn of this.turns) {
      const now = known.get(turn.id);
      if (now && turn.closed) turn.retell(now.said?.text ?? turn.text, now.answer?.text);
    }
  }

  async _older() {
    const first = this.list.firstElementChild;
    const page = await storedTurns(this.id, this.next).catch(() => null);
    if (!page) return;
    const turns = page.turns.map((each) => this._stored(each));
    this.turns.unshift(...turns);
    first.before(...turns.map((each) => each.element));
    this.next = page.next;
    this.more.hidden = !this.next;
    first.scrollIntoView();
  }
}
