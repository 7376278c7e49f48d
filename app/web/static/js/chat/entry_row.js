/** A memory in a list under an answer, with what can be done about it right there. */

import { el } from "../elements.js";
import { entryActions } from "../entry/actions.js";

/** Fired at a row when its memory was forgotten elsewhere. */
export const FORGOTTEN = "entry-forgotten";

/**
 * @param {{id: string, text: string}} entry
 * @param {{lead?: string, meta?: Node|string, onForgotten?: (ids: string[]) => void,
 *   onRestored?: () => void}} more `lead` stands before the words ("Noted:")
 * @returns {HTMLLIElement}
 */
export function entryRow(entry, { lead = "", meta = null, onForgotten, onRestored } = {}) {
  const words = el("span", { class: "entry-words" }, entry.text);
  const show = (text, gone) => {
    words.textContent = text;
    row.classList.toggle("is-forgotten", gone);
  };
  let text = entry.text;
  const actions = entryActions(entry, {
    onChanged: (changed) => show((text = changed.text ?? text), false),
    onForgotten: (answer) => {
      show("", true); // the buttons say so themselves, and offer the way back
      onForgotten?.(answer.forgotten ?? [entry.id]);
    },
    onRestored: (restored) => {
      show(restored?.text ?? text, false);
      onRestored?.();
    },
  });
  const row = el(
    "li",
    { class: "entry-row", dataset: { entryId: entry.id } },
    el("p", { class: "entry-line" }, lead && el("span", { class: "entry-lead" }, `${lead} `), words),
    meta && el("p", { class: "entry-meta small muted" }, meta),
    actions,
  );
  row.addEventListener(FORGOTTEN, () => {
    show("Forgotten", true);
    actions.remove();
  });
  return row;
}

/**
 * The words of a memory in a sentence about it; they go with it.
 * @param {import("../shapes.js").MemoryEntry} entry
 */
export function wordsOf(entry) {
  const words = el("span", { dataset: { entryId: entry.id } }, `“${entry.text}”`);
  words.addEventListener(FORGOTTEN, () => {
    words.classList.add("is-forgotten");
    words.textContent = "(forgotten)";
  });
  return words;
}

/** A memory of which only is known that it is gone. */
export function goneRow() {
  return el("li", { class: "entry-row is-forgotten" }, el("p", { class: "entry-line" }, "Forgotten since"));
}

/** Takes the words of forgotten memories from wherever they stand. @param {string[]} ids */
export function hideForgotten(ids) {
  for (const id of ids) {
    const rows = document.querySelectorAll(`[data-entry-id="${CSS.escape(id)}"]:not(.is-forgotten)`);
    for (const row of rows) row.dispatchEvent(new CustomEvent(FORGOTTEN));
  }
}
