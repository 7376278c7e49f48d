/** What was noted behind an answer, and what has to be asked about it. */

import { get, post } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";
import { entryRow } from "./entry_row.js";

const SHORT = 4;
const BEFORE = /^ \(before: (.*)\)$/s;

/**
 * @param {{notices: string[], kept: object[], doubts: object[]}} learned
 * @param {object} callbacks of entry rows
 * @returns {Node[]}
 */
export function learnedParts({ notices = [], kept = [], doubts = [] }, callbacks) {
  const shown = new Set(doubts.map((doubt) => doubt.question));
  const rows = kept.map((entry) => {
    const notice = notices.find((each) => each.startsWith(`noted: ${entry.text}`));
    const [, before] = BEFORE.exec(notice?.slice(`noted: ${entry.text}`.length) ?? "") ?? [];
    shown.add(notice);
    const meta = before && replaced(entry, before);
    return entryRow(entry, { lead: "Noted:", meta, ...callbacks });
  });
  const told = notices.filter((notice) => !shown.has(notice));
  return [noticeList(told), listOf(rows), ...doubts.map(doubtBox)].filter(Boolean);
}

/** @param {string[]} notices @returns {HTMLElement|null} */
export function noticeList(notices) {
  if (!notices.length) return null;
  return el("ul", { class: "notices" }, notices.map((notice) => el("li", {}, notice)));
}

/** @param {object[]} kept @param {string} lead @param {object} callbacks @returns {HTMLElement|null} */
export function noted(kept, lead, callbacks) {
  return listOf(kept.map((entry) => entryRow(entry, { lead, ...callbacks })));
}

function listOf(rows) {
  return rows.length ? el("ul", { class: "entry-rows noted" }, rows) : null;
}

/** What was known before, which can be had back. */
function replaced(entry, before) {
  const part = el("span", {}, `Before: ${before} `);
  const undo = button("Undo", "", async () => {
    try {
      const { older } = await get(`/v1/memory/entries/${entry.id}`);
      for (const each of older) await post(`/v1/memory/entries/${each.id}/restore`);
      part.replaceChildren(`“${before}” holds again, beside this.`);
    } catch (problem) {
      toast(`It could not be undone. ${problem.message}`);
    }
  });
  part.append(undo);
  return part;
}

function doubtBox(doubt) {
  const box = el("div", { class: "doubt", role: "group", "aria-label": "Which is true?" });
  const settle = (replaces) => settled(box, doubt, replaces);
  box.append(
    el("p", {}, `You said before: “${doubt.older.text}”. Now: “${doubt.newer.text}”.`),
    el(
      "div",
      { class: "doubt-buttons" },
      button(nowLabel(doubt), "primary", () => settle(true)),
      button("Both are true", "", () => settle(false)),
    ),
  );
  return box;
}

async function settled(box, doubt, replaces) {
  try {
    await post(`/v1/memory/doubts/${doubt.id}`, { replaces });
    const said = replaces ? `Noted: ${doubt.newer.text}` : "Both are kept.";
    box.replaceChildren(el("p", { tabindex: "-1" }, said));
    if (replaces) box.append(button("Undo", "", () => undone(box, doubt)));
    box.firstChild.focus();
  } catch (problem) {
    if (problem.status === 404) box.replaceChildren(el("p", {}, "That is settled already."));
    else toast(`That was not noted. ${problem.message}`);
  }
}

async function undone(box, doubt) {
  try {
    await post(`/v1/memory/entries/${doubt.older.id}/restore`);
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
 * @param {{older: object, newer: object}} doubt
 */
export function nowLabel({ older, newer }) {
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
