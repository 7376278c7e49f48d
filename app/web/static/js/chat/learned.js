/** What was noted behind an answer, and what has to be asked about it. */

import { post } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";
import { entryRow, wordsOf } from "./entry_row.js";

const SHORT = 4;

/**
 * Memories as they were noted, with what they took the place of; what has to be asked; and the rest
 * in words.
 * @param {import("../shapes.js").LearnedEvent} learned
 * @param {object} callbacks of entry rows
 * @returns {Node[]}
 */
export function learnedParts({ notices, kept, replaced, doubts }, callbacks) {
  const older = new Map(replaced.map(({ entry, older: before }) => [entry, before]));
  const row = (entry) => entryRow(entry, { lead: "Noted:", meta: heldBefore(older.get(entry.id)), ...callbacks });
  const isShown = (notice) =>
    doubts.some(({ question }) => question === notice) || kept.some(({ text }) => notice.startsWith(`noted: ${text}`));
  const told = notices.filter((notice) => !isShown(notice));
  return [noticeList(told), listOf(kept.map(row)), ...doubts.map(doubtBox)].filter(Boolean);
}

/** @param {string[]} notices @returns {HTMLElement|null} */
export function noticeList(notices) {
  if (!notices.length) return null;
  return el("ul", { class: "notices" }, notices.map((notice) => el("li", {}, notice)));
}

/**
 * What a turn kept, and what those said before that it corrected.
 * @param {import("../shapes.js").DoneEvent} done
 * @param {object} callbacks
 * @returns {HTMLElement|null}
 */
export function keptRows({ kept = [], changed = [] }, callbacks) {
  const before = new Map(changed.map((each) => [each.entry, each.before]));
  const row = (entry) =>
    before.has(entry.id)
      ? entryRow(entry, { lead: "Changed:", meta: saidBefore(entry.id, before.get(entry.id), callbacks), ...callbacks })
      : entryRow(entry, { lead: "Kept:", ...callbacks });
  return listOf(kept.map(row));
}

/** The words before a correction, which takes back. @param {string} id @param {string} words @param {object} callbacks */
function saidBefore(id, words, callbacks) {
  const undo = button("Undo", "", async () => {
    try {
      const back = await post(`/v1/memory/entries/${id}/revert`);
      undo.closest("li").replaceWith(entryRow(back, { lead: "Changed back:", ...callbacks }));
    } catch (problem) {
      toast(`It could not be undone. ${problem.message}`);
    }
  });
  return el("span", {}, `Before: “${words}” `, undo);
}

function listOf(rows) {
  return rows.length ? el("ul", { class: "entry-rows noted" }, rows) : null;
}

/** What was known before, which can be had back. @param {import("../shapes.js").MemoryEntry[]} [older] */
function heldBefore(older = []) {
  if (!older.length) return null;
  const words = older.flatMap((each) => [wordsOf(each), " "]);
  const part = el("span", {}, "Before: ", words);
  const undo = button("Undo", "", async () => {
    try {
      for (const each of older) await post(`/v1/memory/entries/${each.id}/restore`);
      part.replaceChildren(...words, "holds again, beside this.");
    } catch (problem) {
      toast(`It could not be undone. ${problem.message}`);
    }
  });
  part.append(undo);
  return part;
}

/** @param {import("../shapes.js").StreamedConflict} doubt */
function doubtBox(doubt) {
  const box = el("div", { class: "doubt", role: "group", "aria-label": "Which is true?" });
  const settle = (holds) => settled(box, doubt, holds);
  box.append(
    el("p", {}, "You said before: ", wordsOf(doubt.older), ". Now: ", wordsOf(doubt.newer), "."),
    el(
      "div",
      { class: "doubt-buttons" },
      button(nowLabel(doubt), "primary", () => settle("newer")),
      button("The old one still holds", "", () => settle("older")),
      button("Both are true", "", () => settle("both")),
    ),
  );
  return box;
}

async function settled(box, doubt, holds) {
  try {
    await post(`/v1/memory/doubts/${doubt.id}`, { holds });
    const said = holds === "both" ? "Both are kept." : `Noted: ${doubt[holds].text}`;
    box.replaceChildren(el("p", { tabindex: "-1" }, said));
    const out = { newer: doubt.older, older: doubt.newer }[holds];
    if (out) box.append(button("Undo", "", () => undone(box, out)));
    box.firstChild.focus();
  } catch (problem) {
    if (problem.status === 404) box.replaceChildren(el("p", {}, "That is settled already."));
    else toast(`That was not noted. ${problem.message}`);
  }
}

async function undone(box, out) {
  try {
    await post(`/v1/memory/entries/${out.id}/restore`);
    box.replaceChildren(el("p", { tabindex: "-1" }, "Undone: both are kept."));
    box.firstChild.focus();
  } catch (problem) {
    toast(`It could not be undone. ${problem.message}`);
  }
}

function button(text, kind, click) {
  return el("button", { type: "button", class: `button small ${kind}`, on: { click } }, text);
}

/**
 * “Bergen now” of Oslo and Bergen: the words in which the newer differs, where they are few.
 * @param {import("../shapes.js").StreamedConflict} doubt
 */
function nowLabel({ older, newer }) {
  const before = older.text.split(/\s+/);
  const after = newer.text.split(/\s+/);
  let start = 0;
  while (start < after.length && after[start] === before[start]) start += 1;
  let end = 0;
  while (end < after.length - start && after.at(-1 - end) === before.at(-1 - end)) end += 1;
  const words = after.slice(start, after.length - end);
  if (!words.length || words.length > SHORT) return "The new one holds now";
  return `${words.join(" ").replace(/[.,;!]+$/, "")} now`;
}
