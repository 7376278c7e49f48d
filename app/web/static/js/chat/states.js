/** What stands in the place of messages where there are none. */

import { el, icon } from "../elements.js";

/**
 * An error that a person can do something about.
 * @param {{title: string, text: string, onRetry?: () => void, more?: Node, heading?: string}} said
 */
export function errorState({ title, text, onRetry, more, heading = "h2" }) {
  const again = onRetry && el("button", { type: "button", class: "button primary", on: { click: onRetry } }, icon("retry"), "Try again");
  return el(
    "section",
    { class: "state error-state", role: "alert" },
    icon("warning"),
    el(heading, {}, title),
    el("p", {}, text),
    again,
    more,
  );
}

/**
 * Why a conversation is not shown.
 * @param {Problem} problem @param {{onRetry: () => void, onNew: () => void}} ways
 */
export function notOpened(problem, { onRetry, onNew }) {
  const more = el("button", { type: "button", class: "button", on: { click: onNew } }, "New chat");
  if (problem.status !== 404 && problem.status !== 422) {
    return errorState({ title: "The conversation could not be loaded", text: problem.message, onRetry, more });
  }
  const text = "It was deleted, or its address is not complete.";
  return errorState({ title: "There is no such conversation", text, more });
}

/** @param {string} text */
export function loadingState(text = "Loading the conversation…") {
  return el("p", { class: "state muted", role: "status" }, text);
}
