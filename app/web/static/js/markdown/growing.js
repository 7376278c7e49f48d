/** Markdown that grows: finished blocks are drawn once, only the last one is drawn again. */

import { growCode } from "./code_block.js";
import { nodesOf } from "./nodes.js";
import { tokensOf } from "./parse.js";

const REFERENCE = /^ {0,3}\[[^\]]+\]:/m;

export class GrowingMarkdown {
  /** @param {HTMLElement} place what it fills @param {{verbatim?: boolean}} [how] `verbatim` shows
   * the very characters: words quoted from memory were not written as markdown. */
  constructor(place, { verbatim = false } = {}) {
    this.place = place;
    this.verbatim = verbatim;
    this.text = "";
    this._unfinished = "";
    this._drawn = [];
    this._known = {};
    this._frame = 0;
    place.classList.toggle("verbatim", verbatim);
  }

  /** Adds text; it is drawn with the next frame. @param {string} text */
  add(text) {
    this.text += text;
    this._unfinished += text;
    this._frame ||= requestAnimationFrame(() => this._draw());
  }

  /** Draws what is left. A reference link may be defined below its use, so a text with one is drawn
   * once more as a whole. */
  finish() {
    this._draw();
    if (this.verbatim || !REFERENCE.test(this.text)) return;
    this.place.replaceChildren(nodesOf(tokensOf(this.text)));
  }

  _draw() {
    cancelAnimationFrame(this._frame);
    this._frame = 0;
    if (this.verbatim) {
      this.place.textContent = this.text;
      return;
    }
    const tokens = tokensOf(this._unfinished, this._known);
    const last = lastBlock(tokens, this._unfinished);
    this._show(tokens, last);
    if (last.line === 0) return;
    this._unfinished = this._unfinished.split("\n").slice(last.line).join("\n");
  }

  _show(tokens, { index }) {
    if (index === 0 && this._grown(tokens)) return;
    for (const node of this._drawn) node.remove();
    this.place.append(nodesOf(tokens.slice(0, index)));
    const rest = nodesOf(tokens.slice(index));
    this._drawn = [...rest.childNodes];
    this.place.append(rest);
  }

  /** Whether the unfinished block is code that could grow where it stands. */
  _grown(tokens) {
    const [block] = this._drawn;
    const isCode = tokens.length === 1 && tokens[0].type === "fence" && this._drawn.length === 1;
    if (!isCode || block.dataset?.language !== tokens[0].info.trim().split(/\s+/)[0]) return false;
    growCode(block, tokens[0].content);
    return true;
  }
}

/**
 * Where the block begins that may still change. A line without its end does not finish the block
 * before it: “2” may become “2.” and go on with a list.
 */
function lastBlock(tokens, text) {
  const whole = text.split("\n").length - 1;
  let last = { index: 0, line: 0 };
  tokens.forEach((token, index) => {
    if (token.level === 0 && token.nesting >= 0 && token.map && token.map[0] < whole) {
      last = { index, line: token.map[0] };
    }
  });
  return last;
}

/** A text that is whole already. @param {HTMLElement} place @param {string} text
 * @param {{verbatim?: boolean}} [how] */
export function showMarkdown(place, text, how) {
  const growing = new GrowingMarkdown(place, how);
  growing.text = growing._unfinished = text;
  growing.finish();
}
