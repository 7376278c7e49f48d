/** Nodes made from the tokens of markdown-it: no string is ever read as HTML. */

import { el } from "../elements.js";
import { codeBlock } from "./code_block.js";

const LINK = { target: "_blank", rel: "noopener noreferrer" };
const TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td em strong s a".split(" "),
);
// The headings of an answer stand below those of the page.
const LOWERED = { h1: "h3", h2: "h3", h3: "h4", h4: "h5", h5: "h6" };

/**
 * @param {object[]} tokens of whole blocks
 * @returns {DocumentFragment}
 */
export function nodesOf(tokens) {
  const root = document.createDocumentFragment();
  const open = [root];
  for (const token of tokens) {
    if (token.nesting === 1) open.push(opened(token, open.at(-1)));
    else if (token.nesting === -1) close(open);
    else append(open.at(-1), token);
  }
  return root;
}

function opened(token, parent) {
  const node = token.hidden ? parent : el(tagOf(token.tag), propsOf(token));
  if (token.hidden) return parent;
  parent.append(node.tagName === "TABLE" ? el("div", { class: "table-scroll", tabindex: "0" }, node) : node);
  return node;
}

function close(open) {
  if (open.length > 1) open.pop();
}

function append(parent, token) {
  switch (token.type) {
    case "inline":
      return parent.append(nodesOf(token.children));
    case "fence":
    case "code_block":
      return parent.append(codeBlock(token.content, token.info));
    case "code_inline":
      return parent.append(el("code", {}, token.content));
    case "hr":
      return parent.append(el("hr"));
    case "hardbreak":
      return parent.append(el("br"));
    case "softbreak":
      return parent.append("\n");
    default: // of an image only its words: nothing is loaded from anywhere
      return parent.append(token.content);
  }
}

function tagOf(tag) {
  return TAGS.has(tag) ? (LOWERED[tag] ?? tag) : "span";
}

function propsOf(token) {
  if (token.tag === "a") return { ...LINK, href: token.attrGet("href") };
  if (token.tag === "ol") return { start: token.attrGet("start") };
  if (token.tag === "th" || token.tag === "td") return { class: aligned(token.attrGet("style")) };
  return {};
}

/** A style attribute is not allowed here, so it is a class. */
function aligned(style) {
  const [, where] = /text-align:\s*(left|right|center)/.exec(style ?? "") ?? [];
  return where ? `align-${where}` : null;
}
