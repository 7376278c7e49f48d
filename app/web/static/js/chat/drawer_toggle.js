/** Opens and closes the drawer: beside the messages where there is room, over them on a phone. */

import { el, iconButton } from "../elements.js";
import { store, stored } from "../stored.js";

const NARROW = matchMedia("(max-width: 48rem)");

export class DrawerToggle {
  /** @param {HTMLElement} drawer @param {HTMLElement} main */
  constructor(drawer, main) {
    this.drawer = drawer;
    this.main = main;
    this.button = iconButton("menu", "Conversations", { "aria-controls": drawer.id, on: { click: () => this.set(!this.open) } });
    this.shade = el("div", { class: "shade", hidden: true, on: { click: () => this.set(false) } });
    drawer.after(this.shade);
    drawer.addEventListener("keydown", (event) => this._escape(event));
    NARROW.addEventListener("change", () => this._fit());
    this._fit();
  }

  /** @param {boolean} open */
  set(open) {
    this.open = open;
    const over = open && NARROW.matches;
    if (!open && this.drawer.contains(document.activeElement)) this.button.focus();
    this.drawer.hidden = !open;
    this.shade.hidden = !over;
    this._cover(over);
    this.button.setAttribute("aria-expanded", String(open));
    if (!NARROW.matches) store("drawer", open ? null : "closed");
    if (over) this.drawer.querySelector("button")?.focus();
  }

  /** A conversation was chosen: on a phone its messages come to the front. */
  chosen() {
    if (NARROW.matches) this.set(false);
  }

  _fit() {
    const open = NARROW.matches ? false : stored("drawer") !== "closed";
    this.open = open;
    this.drawer.hidden = !open;
    this.shade.hidden = true;
    this._cover(false);
    this.button.setAttribute("aria-expanded", String(open));
  }

  /** What lies under the drawer cannot be reached; the page's heading stays. */
  _cover(over) {
    for (const part of this.main.children) part.inert = over && part.tagName !== "H1";
  }

  _escape(event) {
    if (event.key !== "Escape" || !NARROW.matches) return;
    event.stopPropagation();
    this.set(false);
  }
}
