/** What stands in place of memories: while they come, where there are none, where it failed. */

import { el } from "../elements.js";

const HOW =
  "Tell Keepsake something about yourself in the chat. What is worth keeping of it is noted here " +
  "by itself, and you can change or forget it at any time.";
const EXAMPLES = [
  "I prefer uv over pip.",
  "My sister Maria lives in Oslo.",
  "Remember that I am vegetarian.",
];

/** Grey cards of the size of the real ones, so that nothing jumps. */
export function skeleton(count = 6) {
  const cards = Array.from({ length: count }, () => el("div", { class: "card skeleton" }));
  return el("div", { class: "cards", "aria-hidden": "true" }, cards);
}

/** Why it could not be shown, and a way to try again. */
export function failure(problem, again) {
  const act = { type: "button", class: "button", on: { click: again } };
  return el(
    "div",
    { class: "state", role: "alert" },
    el("h2", {}, "This could not be shown"),
    el("p", {}, problem.detail ?? "Something went wrong in this page."),
    el("button", act, "Try again"),
  );
}

/** Nothing matches the filter. */
export function nothingFound(clear) {
  const act = { type: "button", class: "button", on: { click: clear } };
  return el(
    "div",
    { class: "state" },
    el("h2", {}, "Nothing that is remembered matches"),
    el("p", {}, "Try fewer or other words, or look at everything."),
    el("button", act, "Show everything"),
  );
}

/** How memories come to be, and what to do next. */
export function nothingYet({ off, add }) {
  return off ? nothingWhileOff() : nothingSoFar(add);
}

function nothingSoFar(add) {
  const act = { type: "button", class: "button", on: { click: add } };
  return el(
    "div",
    { class: "state" },
    el("h2", {}, "Nothing is remembered yet"),
    el("p", {}, HOW),
    examples(),
    el(
      "div",
      { class: "state-buttons" },
      el("a", { class: "button primary", href: "/" }, "Go to the chat"),
      el("button", act, "Add a memory"),
      el("a", { class: "button", href: "#settings" }, "Import memories"),
    ),
  );
}

function nothingWhileOff() {
  return el(
    "div",
    { class: "state" },
    el("h2", {}, "Nothing is remembered"),
    el("p", {}, "Memory is off in this space, so nothing is learned and nothing can be added."),
    el("a", { class: "button primary", href: "#settings" }, "Turn it on under Settings"),
  );
}

function examples() {
  const said = EXAMPLES.map((each) => el("li", {}, el("q", {}, each)));
  return el("ul", { class: "state-examples", "aria-label": "Examples" }, said);
}
