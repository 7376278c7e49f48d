/** What happens between the parts of the chat page. */

import { el } from "../elements.js";
import { changeSpace, currentSettings, currentSpace, refreshSettings, showPrivacy } from "../shell.js";
import { forgetStored } from "../stored.js";
import { toast } from "../toast.js";
import { address, addressed } from "./address.js";
import { announceAnswer } from "./announce.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Drawer } from "./drawer.js";
import { titleOf } from "./drawer_item.js";
import { DrawerToggle } from "./drawer_toggle.js";
import { beforeTheFirst, offlineWasSaid } from "./first_run.js";
import { Follow } from "./follow.js";
import { listen } from "./page_events.js";
import { PrivacyBand } from "./privacy_band.js";
import { loadingState, notOpened } from "./states.js";

// What is typed with a slash and leads out of the conversation.
const OF_PAGE = /^\/(new|space)(?:\s+(.+))?$/i;

export class ChatPage {
  /** @param {object} me @param {HTMLElement} main @param {HTMLElement} drawer */
  constructor(me, main, drawer) {
    this.me = me;
    this.kept = new Map(); // those that are answered, or incognito, while another one is open
    this.shown = null;
    this.moved = null; // ends when the page has gone over to another space
    this.title = el("h1", { class: "visually-hidden" }, "New chat");
    this.content = el("div", { class: "thread-content" });
    this.thread = el("div", { class: "thread", tabindex: "0", role: "region", "aria-label": "Messages" }, this.content);
    this.follow = new Follow(this.thread, this.content);
    this.band = new PrivacyBand({ onReads: (reads) => this.incognito(true, reads) });
    this.composer = new Composer({ onSend: (text) => this.send(text), onStop: () => this.shown.stop() });
    this.drawer = new Drawer(drawer, {
      onNew: (incognito) => this.begin(incognito ? "incognito" : "normal"),
      onOpen: (id) => this.open(id),
      onDeleted: (id) => this.shown.id === id && this.begin(),
      onRenamed: (told) => this.shown.id === told.id && this._titled(told),
    });
    this.toggle = new DrawerToggle(drawer, main);
    const foot = el("div", { class: "chat-foot" }, this.follow.button, this.composer.element);
    this.parts = [this.title, this.band.element, this.thread, foot];
    this.main = main;
  }

  /** Nothing can be typed before there is a conversation to type into. */
  async start() {
    const opened = this.openAddressed();
    this.main.replaceChildren(...this.parts);
    listen(this);
    this.composer.focus();
    await this.drawer.refresh();
    if (this.shown.isFresh) this._emptyState();
    await opened;
  }

  /** What the address names: a conversation, or a new one. */
  async openAddressed() {
    const id = addressed();
    if (id) return this.open(id, { moved: false });
    const incognito = location.hash === "#incognito";
    return this.begin(incognito ? "incognito" : undefined, { moved: false });
  }

  /** A conversation that has yet to begin; without `privacy` as the space has it. */
  begin(privacy = currentSettings()?.incognito_default ? "incognito" : "normal", { moved = true } = {}) {
    this._show(new Conversation({ privacy, ...this._how() }));
    address(null, { replace: !moved });
    this._emptyState();
    this.composer.focus();
  }

  /** @param {string} id */
  async open(id, { moved = true } = {}) {
    const conversation = this.kept.get(id) ?? new Conversation({ id, ...this._how() });
    if (!conversation.busy) this.kept.delete(id);
    this._show(conversation);
    if (moved) address(id);
    if (conversation.turns.length) return this.follow.toEnd();
    this.content.replaceChildren(loadingState());
    try {
      await conversation.load();
      if (this.shown !== conversation) return;
      if (conversation.spaceName) changeSpace(conversation.spaceName);
      this._show(conversation);
      this.composer.focus();
    } catch (problem) {
      if (this.shown === conversation) this._notOpened(conversation, problem);
    }
  }

  /** What is said while the page goes over to another space is said there. @param {string} text */
  async send(text) {
    await this.moved;
    this.composer.write(""); // the move has brought its draft back
    const [, command = "", words] = OF_PAGE.exec(text) ?? [];
    const isNew = command.toLowerCase() === "new";
    if (isNew || (words && words !== currentSpace())) {
      this.composer.drop(); // else it would stand where the page goes, among what is typed there
      return isNew ? this.begin() : changeSpace(words);
    }
    if (!this.shown.element.isConnected) this.content.replaceChildren(this.shown.element);
    this.follow.toEnd();
    this.shown.send(text);
    this.composer.focus();
  }

  /** @param {boolean} on @param {boolean} [readOnly] */
  async incognito(on, readOnly = false) {
    try {
      await this.shown.setIncognito(on ? "start" : "end", readOnly);
    } catch (problem) {
      toast(`That was not changed. ${problem.message}`);
      this.showPrivacyOf(this.shown);
    }
  }

  _how() {
    const mine = (act) => (conversation, ...more) => conversation === this.shown && act(conversation, ...more);
    const on = {
      begun: mine((conversation) => this._begun(conversation)),
      busy: (conversation) => this._busy(conversation),
      done: (conversation, turn, done) => this._done(conversation, turn, done),
      privacy: mine((conversation) => this.showPrivacyOf(conversation)),
      unfocused: mine(() => this.composer.focus()),
      edit: mine((_, text) => (this.composer.write(text), this.composer.focus())),
      erased: (conversation) => this._erased(conversation),
    };
    return { space: currentSpace, verbatim: this.me.offline, on };
  }

  _show(conversation) {
    const last = this.shown;
    if (last?.id && (last.busy || last.privacy !== "normal")) this.kept.set(last.id, last);
    this.shown = conversation;
    this.content.replaceChildren(conversation.element);
    this.composer.open(conversation.id, conversation.privacy);
    this.composer.setBusy(conversation.busy);
    this._titled(conversation);
    this.drawer.mark(conversation.id);
    this.showPrivacyOf(conversation);
    this.toggle.chosen();
    this.follow.toEnd();
  }

  _emptyState() {
    if (!this.drawer.isLoaded) return; // whether somebody is new here is not known yet
    const onPick = (text) => (this.composer.write(text), this.composer.focus());
    const { me, drawer } = this;
    this.content.replaceChildren(...beforeTheFirst({ me, isNew: drawer.isEmpty, privacy: this.shown.privacy, onPick }));
    this.follow.rest();
  }

  _notOpened(conversation, problem) {
    const onRetry = () => this.open(conversation.id, { moved: false });
    this.content.replaceChildren(notOpened(problem, { onRetry, onNew: () => this.begin() }));
  }

  _begun(conversation) {
    const isPrivate = conversation.privacy !== "normal";
    if (conversation.hasStored) address(conversation.id, { replace: true });
    this.composer.follow(conversation.id, conversation.privacy);
    this.showPrivacyOf(conversation);
    if (!isPrivate) this.drawer.refresh().then(() => this.drawer.mark(this.shown.id));
  }

  _busy(conversation) {
    if (conversation === this.shown) this.composer.setBusy(conversation.busy);
    if (!conversation.busy && conversation.privacy === "normal") this.kept.delete(conversation.id);
  }

  _done(conversation, turn, done) {
    offlineWasSaid();
    refreshSettings().catch(() => {});
    this.drawer.refresh().then(() => this._renamed(conversation));
    if (conversation !== this.shown) return;
    this.showPrivacyOf(conversation);
    announceAnswer(turn.answer.words.innerText, done);
  }

  /** Everything is gone, and with it every other conversation. */
  _erased(conversation) {
    forgetStored("draft");
    this.kept.clear();
    conversation.startOver();
    if (conversation === this.shown) address(null, { replace: true });
    else if (!this.shown.isFresh && !this.shown.busy) this.begin(undefined, { moved: false });
  }

  /** Shows how private a conversation is. */
  showPrivacyOf(conversation) {
    showPrivacy(conversation.privacy);
    this.band.show(conversation, currentSettings()?.memory_mode);
    this.composer.follow(conversation.id, conversation.privacy);
    if (conversation.isFresh) this._emptyState();
  }

  _renamed(conversation) {
    const told = this.drawer.conversations.find((each) => each.id === conversation.id);
    if (told && conversation === this.shown) this._titled(told);
  }

  _titled(conversation) {
    const title = titleOf(conversation);
    this.title.textContent = title;
    document.title = `${title} · Keepsake`;
  }
}
