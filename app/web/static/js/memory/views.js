/** The parts of the memory page and the links to them. */

import { el } from "../elements.js";

const VIEWS = [
  ["memories", "Memories"],
  ["timeline", "Timeline"],
  ["questions", "Questions"],
  ["log", "Log"],
  ["settings", "Settings"],
];

/** The part that an address names; the memories for any other. */
export function nameOf(hash) {
  const named = hash.slice(1);
  return VIEWS.some(([name]) => name === named) ? named : "memories";
}

/** Draws the links. They stay the same elements, so that none loses the focus. */
export function drawViews(nav, current, questions) {
  if (!nav.hasChildNodes()) nav.append(el("ul", {}, VIEWS.map(item)));
  for (const link of nav.querySelectorAll("a")) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const badge = nav.querySelector(".badge");
  badge.hidden = questions === 0;
  badge.replaceChildren(String(questions), el("span", { class: "visually-hidden" }, " open"));
}

function item([name, words]) {
  const badge = name === "questions" ? el("span", { class: "badge", hidden: true }) : null;
  return el("li", {}, el("a", { href: `#${name}` }, words, badge));
}

/** The heading of a part; a link to the part puts the focus on it. */
export function viewHead(words, told = "") {
  const head = el("h2", { class: "view-title", tabindex: "-1" }, words);
  return told ? [head, el("p", { class: "muted" }, told)] : [head];
}
