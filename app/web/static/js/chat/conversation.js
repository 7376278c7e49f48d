/** One conversation on the page: its turns, and the answer that is being made. */

import { get, idempotencyKey, post } from "../api.js";
import { el } from "../elements.js";
import { beginTurn, joinTurn } from "../stream.js";
import { toast } from "../toast.js";
import { hideForgotten } from "./entry_row.js";
import { tellFailed } from "./failing.js";
import { changedPrivacy } from "./privacy.js";
import { StoredTurns } from "./stored_turns.js";
import { TAKE } from "./turn_events.js";
import { TurnView } from "./turn_view.js";

export class Conversation {
  /**
   * @param {{id?: string|null, privacy?: string, space: () => string|undefined, verbatim: boolean,
   *   on: object}} begin `on`: `begun`, `busy`, `done`, `privacy`, `erased`, `edit` and `unfocused`, each
   *   called with the conversation
   */
  constructor({ id = null, privacy = "normal", space, verbatim, on }) {
    Object.assign(this, { id, privacy, space, on, title: null, turns: [], current: null });
    this.stored = new StoredTurns(id === null);
    this.list = el("div", { class: "turns" });
    this.more = el("button", { type: "button", class: "button small earlier", hidden: true }, "Show earlier messages");
    this.more.addEventListener("click", () => this._older());
    this.element = el("div", { class: "conversation" }, this.more, this.list);
    this.how = {
      verbatim,
      rows: { onForgotten: (ids) => this.forgot(ids), onRestored: () => this.retell() },
      onRetry: (turn) => this.send(turn.text, turn),
      onEdit: (turn, text) => this.send(text, turn),
    };
  }

  /** Nothing was said in it yet. */
  get isFresh() {
    return this.id === null && !this.turns.length;
  }

  /** Something that was said in it is kept. */
  get hasStored() {
    return this.turns.some((turn) => turn.isStored);
  }

  get busy() {
    return this.current !== null;
  }

  /** Reads it, as far back as it was shown, and joins the turn that is being answered. Throws
   * Problem. */
  async load() {
    const [told, read] = await this._read();
    Object.assign(this, { title: told.title, spaceName: told.space });
    this.become(told.privacy);
    const unstored = this.turns.filter((turn) => turn.isPrivate || (turn.id === null && !turn.closed));
    this.list.replaceChildren();
    this.turns = [];
    for (const stored of read.turns) this._append(this._view(stored, told.running));
    for (const turn of unstored) this._keep(turn);
    this._reached(read);
    if (told.running) this._join(told.running);
    this.mark();
  }

  /** Another tab may have gone on. */
  async sync() {
    if (this.busy || !this.id || this.privacy !== "normal") return;
    const [told, { turns }] = await this._read();
    if (this.busy) return;
    const shown = this.turns.map((turn) => turn.id).filter(Boolean);
    const last = turns.at(-1)?.id;
    const isNews = told.running || told.privacy !== this.privacy || (last && last !== shown.at(-1));
    if (!isNews) return this._retell(turns);
    await this.load();
    return this.on.privacy(this);
  }

  /** Memories were forgotten: their words go from the page, wherever it shows them. */
  forgot(ids) {
    hideForgotten(ids);
    for (const turn of this.turns) turn.answer.forgot(ids);
    return this.retell();
  }

  /** Shows what is stored now of all that is shown: the words of what was forgotten are gone from it. */
  async retell() {
    if (!this.id) return;
    const read = await this.stored.read(this.id).catch(() => null);
    if (read) this._retell(read.turns);
  }

  /** Everything was erased: left is the turn that says so, and a conversation that has yet to begin. */
  startOver() {
    for (const turn of this.turns.slice(0, -1)) this.remove(turn);
    for (const turn of this.turns) Object.assign(turn, { id: null, isStored: false });
    Object.assign(this, { id: null, title: null, stored: new StoredTurns(true) });
    this.more.hidden = true;
  }

  /** Says something; `instead` is the last turn, which is then taken back. What is said again under
   * the `key` of an earlier attempt is not said twice. */
  send(text, instead = null, key = idempotencyKey()) {
    if (this.busy) return;
    const hadFocus = instead?.element.contains(document.activeElement);
    if (instead) instead.element.hidden = true;
    if (hadFocus) this.on.unfocused(this);
    this.turns.at(-1)?.answer.settle();
    const turn = this._append(new TurnView(text, this.how));
    Object.assign(turn, { instead, key });
    turn.answer.waiting();
    const body = {
      message: text,
      space: this.space(),
      privacy: this.privacy,
      utc_offset_minutes: -new Date().getTimezoneOffset(),
    };
    if (this.id) body.conversation_id = this.id;
    if (instead?.id) body.instead_of = instead.id;
    this._follow(turn, beginTurn(body, { key, ...listening(turn) }));
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
    this.become(await changedPrivacy(this, what, readOnly));
    this.on.privacy(this);
  }

  /** As private as that from now on. What was said incognito leaves with it; where nothing else was
   * said, the next message begins the conversation. */
  become(privacy) {
    const ends = this.privacy !== "normal" && privacy === "normal";
    this.privacy = privacy;
    if (!ends) return;
    for (const turn of this.turns.filter((each) => each.isPrivate)) this.remove(turn);
    if (!this.turns.length) this.id = null;
    this.mark();
  }

  /** `turn` is being answered; null where none is. */
  setCurrent(turn) {
    this.current = turn;
    this.mark();
    this.on.busy(this);
  }

  /** Takes a turn from the page. */
  remove(turn) {
    if (turn.element.contains(document.activeElement)) this.on.unfocused(this);
    turn.element.remove();
    this.turns = this.turns.filter((each) => each !== turn);
  }

  /** The last turn alone can be taken back. */
  mark() {
    for (const turn of this.turns) turn.setLast(!this.busy && turn === this.turns.at(-1));
  }

  _read() {
    const path = `/v1/conversations/${encodeURIComponent(this.id)}`;
    return Promise.all([get(path), this.stored.read(this.id)]);
  }

  _view(stored, running) {
    const turn = new TurnView("", this.how);
    turn.show(stored, { isRunning: stored.id === running });
    return turn;
  }

  _append(turn) {
    this.turns.push(turn);
    this.list.append(turn.element);
    return turn;
  }

  /** What could not be sent stays below what was read anew, to be tried again; and so does what was
   * said incognito, which cannot be read. */
  _keep(turn) {
    turn.instead = this.turns.find(({ id }) => id === turn.instead?.id) ?? null;
    if (turn.instead) turn.instead.element.hidden = true;
    this._append(turn);
  }

  _join(id) {
    const turn = this.turns.find((each) => each.id === id) ?? this._append(new TurnView("", this.how));
    turn.join(id);
    this._follow(turn, joinTurn(id, 0, listening(turn)));
  }

  async _follow(turn, events) {
    this.setCurrent(turn);
    try {
      for await (const { event, data } of events) TAKE[event]?.(this, turn, data);
    } catch (problem) {
      if (!turn.closed) await tellFailed(this, turn, problem);
    }
    if (this.current === turn) this.setCurrent(null);
  }

  /** What is not stored any more goes; what never was, in an incognito chat, stays. */
  _retell(stored) {
    const known = new Map(stored.map((each) => [each.id, each]));
    for (const turn of this.turns.filter((each) => each.closed)) {
      const now = known.get(turn.id);
      if (now) turn.retell(now);
      else if (turn.isStored) this.remove(turn);
    }
    this.mark();
  }

  async _older() {
    const [first] = this.turns;
    this.more.disabled = true;
    try {
      const read = await this.stored.older(this.id);
      if (this.turns[0] === first) this._prepend(first, read);
    } catch (problem) {
      toast(`The earlier messages could not be loaded. ${problem.message}`);
    }
    this.more.disabled = false;
  }

  /** A page ends at a message, so that the turn at its border may be on both. */
  _prepend(first, read) {
    if (first && read.turns.at(-1)?.id === first.id) first.complete(read.turns.pop());
    const turns = read.turns.map((each) => this._view(each));
    this.turns.unshift(...turns);
    this.list.prepend(...turns.map((each) => each.element));
    this._reached(read);
    first?.element.scrollIntoView();
  }

  _reached(read) {
    this.stored.reached(read);
    this.more.hidden = !read.next;
  }
}

function listening(turn) {
  return { onLine: (up) => turn.closed || turn.answer.line(up) };
}
