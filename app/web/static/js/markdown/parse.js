/** Markdown to tokens. No HTML passes, and links are of the safe kinds alone. */

import MarkdownIt from "/static/vendor/markdown-it/markdown-it.mjs";

const SAFE = /^(https?:|mailto:)/i;
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.disable(["html_block", "html_inline"]);
markdown.validateLink = (url) => SAFE.test(url.trim());

/**
 * The tokens of markdown-it; `known` carries reference links from one piece of a text to the next.
 * @param {string} text @param {object} known
 * @returns {object[]}
 */
export function tokensOf(text, known = {}) {
  return markdown.parse(text, known);
}
