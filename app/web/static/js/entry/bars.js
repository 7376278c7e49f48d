/** A small bar for each part of a score: its name, the bar, its number. */

import { el } from "../elements.js";
import { figure } from "./words.js";

/**
 * One bar. `most` is the whole bar, `sign` stands before the number ("×" for a factor), `told` in
 * its place, and `cut` marks the relevance below which a memory is left out.
 */
export function bar(name, value, { most = 1, sign = "", told = figure(value), cut = null } = {}) {
  const meter = el("meter", {
    min: "0",
    max: String(most),
    value: String(Math.min(value, most)),
    "aria-label": name,
  });
  const track = el("span", { class: "bar-track" }, meter);
  if (cut !== null && cut > 0) track.append(cutMark(cut / most));
  return el(
    "div",
    { class: "bar" },
    el("span", { class: "bar-name", "aria-hidden": "true" }, name),
    track,
    el("span", { class: "bar-number" }, `${sign}${told}`),
  );
}

/**
 * The parts of a score: three that are added up, what the sum is multiplied by, and the total, of
 * which `most` is the whole bar.
 */
export function scoreBars(scores, { most, cut }) {
  return el(
    "div",
    { class: "bars" },
    el(
      "div",
      {},
      bar("relevance", scores.relevance, { cut }),
      bar("recency", scores.recency),
      bar("importance", scores.importance),
    ),
    el(
      "div",
      {},
      bar("usage", scores.usage, { sign: "× " }),
      bar("quality", scores.quality, { sign: "× " }),
      bar("total", scores.total, { most }),
    ),
  );
}

function cutMark(share) {
  const mark = el("span", { class: "bar-cut", "aria-hidden": "true" });
  mark.style.setProperty("--cut", `${Math.min(share, 1) * 100}%`);
  return mark;
}
