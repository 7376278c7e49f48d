/** Scrolling that stays with the newest words, as long as the reader is there. */

import { icon, el } from "../elements.js";

const NEAR = 60;

export class Follow {
  /** @param {HTMLElement} scroller @param {HTMLElement} content what grows in it */
  constructor(scroller, content) {
    this.scroller = scroller;
    this.following = true;
    this.top = 0;
    this.button = el(
      "button",
      { type: "button", class: "jump button small", hidden: true, on: { click: () => this.toEnd() } },
      icon("down"),
      "Jump to newest",
    );
    scroller.addEventListener("scroll", () => this._scrolled(), { passive: true });
    const sizes = new ResizeObserver(() => this._grown());
    for (const each of [scroller, content]) sizes.observe(each);
  }

  /** Goes to the newest words and stays with them. */
  toEnd() {
    this.following = true;
    this.resting = false;
    this._grown();
  }

  /** What is shown is no conversation: it stays at its beginning. */
  rest() {
    this.following = false;
    this.resting = true;
    this.scroller.scrollTop = 0;
    this.button.hidden = true;
  }

  /** Only who scrolls up leaves the end; what grew since the last frame does not. */
  _scrolled() {
    if (this.resting) return;
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    if (isNear) this.following = true;
    else if (scrollTop < this.top) this.following = false;
    this.top = scrollTop;
    this.button.hidden = isNear || this.following;
  }

  _grown() {
    if (!this.following) return this._scrolled();
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.button.hidden = true;
  }
}
