/** What was typed and not sent survives a reload; of an incognito chat nothing is kept here. */

import { store, stored } from "../stored.js";

/** @param {string|null} conversation null is the one that has yet to begin */
export function draftOf(conversation) {
  return stored(name(conversation)) ?? "";
}

/** @param {string|null} conversation @param {string} text @param {string} privacy */
export function keepDraft(conversation, text, privacy) {
  store(name(conversation), privacy === "normal" ? text : null);
}

function name(conversation) {
  return `draft-${conversation ?? "new"}`;
}
