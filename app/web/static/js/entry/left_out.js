/** What a recall left out and why, with the cut between what reached it and what did not. */

import { el } from "../elements.js";
import { bar } from "./bars.js";
import { figure, share } from "./words.js";

const SHOWN = 10;

/**
 * @param {object[]} leftOut the most relevant first
 * @param {number | null} cut the relevance below which a memory is left out
 * @returns {HTMLElement}
 */
export function leftOutView(leftOut, cut) {
  const shown = leftOut.slice(0, SHOWN);
  const isBelow = (each) => (cut === null ? each.reason === "score" : each.relevance < cut);
  const above = shown.filter((each) => !isBelow(each));
  const below = shown.filter(isBelow);
  const part = el(
    "div",
    { class: "left-out" },
    el("p", { class: "why-lead" }, "Left out, the most relevant first:"),
  );
  if (above.length) part.append(listOf(above, cut, "Left out for another reason"));
  if (below.length) part.append(cutLine(cut), listOf(below, cut, "Left out below the cut"));
  const more = leftOut.length - shown.length;
  if (more > 0) part.append(el("p", { class: "muted small" }, `and ${more} more`));
  return part;
}

function cutLine(cut) {
  const told = cut === null ? "the cut" : `the cut: ${figure(cut)}`;
  return el("p", { class: "cut-line" }, el("span", {}, told));
}

function listOf(memories, cut, name) {
  return el("ul", { class: "left-out-list", "aria-label": name }, ...memories.map(one(cut)));
}

function one(cut) {
  return (memory) =>
    el(
      "li",
      {},
      el("span", { class: "left-out-text" }, memory.text),
      bar("relevance", memory.relevance, { cut, told: share(memory.relevance) }),
      el("span", { class: "left-out-reason" }, memory.said),
    );
}
