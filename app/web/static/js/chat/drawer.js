/** The drawer on the left: new chats, and the conversations of the space with a search. */

import { get } from "../api.js";
import { debounced } from "../debounced.js";
import { el, icon, iconButton } from "../elements.js";
import { currentSpace } from "../shell.js";
import { drawerItem } from "./drawer_item.js";
import { byDay } from "./days.js";

const TYPING = 200;
const PAGE = 40;

export class Drawer {
  /** @param {HTMLElement} place @param {{onNew: (incognito: boolean) => void,
   *   onOpen: (id: string) => void, onDeleted: (id: string) => void, onRenamed: Function}} on */
  constructor(place, on) {
    this.on = on;
    this.conversations = [];
    this.current = null;
    this.next = null;
    this.asked = 0;
    this.isLoaded = false;
    this.search = el("input", { type: "search", id: "conversation-search", class: "field", placeholder: "Search conversations", autocomplete: "off" });
    this.search.addEventListener("input", debounced(() => this.refresh(), TYPING));
    this.list = el("div", { class: "drawer-list" });
    this.told = el("p", { class: "drawer-told small muted", role: "status" });
    this.more = el("button", { type: "button", class: "button small", hidden: true, on: { click: () => this._more() } }, "Show more");
    place.replaceChildren(
      this._newButtons(),
      el("label", { for: "conversation-search", class: "visually-hidden" }, "Search conversations"),
      this.search,
      this.told,
      el("nav", { class: "drawer-nav", "aria-label": "Past conversations" }, this.list, this.more),
    );
  }

  /** Whether there is no conversation at all in this space. */
  get isEmpty() {
    return !this.conversations.length && !this.search.value && !this.failed;
  }

  /** Asks again; an answer that was overtaken by a later question is dropped. */
  async refresh() {
    const mine = (this.asked += 1);
    try {
      const { conversations, next } = await this._page();
      if (mine !== this.asked) return;
      Object.assign(this, { conversations, next, failed: false });
      this._draw();
    } catch (problem) {
      if (mine !== this.asked) return;
      this.failed = true;
      this._failed(problem);
    } finally {
      this.isLoaded = true;
    }
  }

  /** @param {string|null} id the conversation that is open */
  mark(id) {
    this.current = id;
    for (const item of this.list.querySelectorAll("[data-conversation]")) {
      const link = item.firstElementChild;
      if (item.dataset.conversation === id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  _page(cursor) {
    return get("/v1/conversations", { space: currentSpace(), text: this.search.value.trim(), cursor, limit: PAGE });
  }

  /** The page after those that are shown, unless they are others by the time it comes. */
  async _more() {
    const mine = this.asked;
    this.more.disabled = true;
    try {
      const { conversations, next } = await this._page(this.next);
      if (mine !== this.asked) return;
      this.conversations.push(...conversations);
      this.next = next;
      this._draw();
    } catch (problem) {
      if (mine === this.asked) this._failed(problem);
    } finally {
      this.more.disabled = false;
    }
  }

  _draw() {
    const groups = byDay(this.conversations, new Date());
    this.list.replaceChildren(...groups.map(([name, items]) => this._group(name, items)));
    this.more.hidden = !this.next;
    this.told.textContent = this.conversations.length ? "" : this._nothing();
  }

  _group(name, conversations) {
    const how = { ...this.on, onRenamed: (now) => this._renamed(now), onDeleted: (id) => this._deleted(id) };
    const items = conversations.map((each) => drawerItem(each, { ...how, current: each.id === this.current }));
    return el("section", {}, el("h2", { class: "drawer-day" }, name), el("ul", {}, items));
  }

  _nothing() {
    const words = this.search.value.trim();
    return words ? `No conversation holds “${words}”.` : "No conversations yet. What you say appears here.";
  }

  _failed(problem) {
    this.told.textContent = `The conversations could not be loaded. ${problem.message}`;
    const again = el("button", { type: "button", class: "button small", on: { click: () => this.refresh() } }, "Try again");
    if (!this.conversations.length) this.list.replaceChildren(again);
  }

  _renamed(now) {
    this.on.onRenamed(now);
    this.refresh();
  }

  _deleted(id) {
    this.conversations = this.conversations.filter((each) => each.id !== id);
    this._draw();
    this.on.onDeleted(id);
    this.refresh();
  }

  _newButtons() {
    const begin = (incognito) => () => this.on.onNew(incognito);
    const fresh = { type: "button", class: "button new-chat-button", on: { click: begin(false) } };
    const mask = iconButton("mask", "New incognito chat", { class: "new-incognito", on: { click: begin(true) } });
    return el("div", { class: "drawer-new" }, el("button", fresh, icon("plus"), "New chat"), mask);
  }
}
