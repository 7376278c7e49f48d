/** The history of one memory: where it comes from, its older versions, what was done with it. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { scoreBars } from "../entry/bars.js";
import { dayOf, momentOf } from "../entry/dates.js";
import { bringBack } from "../entry/forgetting.js";
import { sourceLines } from "../entry/source.js";

/** A closed part that asks for all of it when it is opened. */
export function historyPart(entry, desk) {
  const told = el("div", { class: "history-told", "aria-live": "polite" });
  const name = el("span", { class: "visually-hidden" }, `: ${entry.text}`);
  const part = el("details", { class: "history" }, el("summary", {}, "History", name), told);
  part.addEventListener("toggle", () => part.open && fill(told, entry.id, desk));
  return part;
}

async function fill(told, id, desk) {
  if (!told.hasChildNodes()) told.append(el("p", { class: "muted small" }, "Looking…"));
  try {
    told.replaceChildren(...partsOf(await get(`/v1/memory/entries/${id}`), desk));
  } catch (problem) {
    told.replaceChildren(el("p", {}, problem.detail));
  }
}

function partsOf(entry, desk) {
  const parts = [...sourceLines(entry)];
  if (entry.replaced_by) {
    parts.push(lead("Replaced by"), el("ul", { class: "versions" }, version(entry.replaced_by)));
  }
  if (entry.older.length) {
    const older = entry.older.map((each) => version(each, desk));
    parts.push(lead("It replaced"), el("ul", { class: "versions" }, older));
  }
  if (entry.history.length) {
    const lines = entry.history.map(auditItem);
    parts.push(lead("What was done with it"), el("ul", { class: "audit-lines" }, lines));
  }
  parts.push(usedLine(entry));
  if (entry.last_scores) parts.push(...lastScores(entry.last_scores));
  return parts;
}

function version(entry, desk = null) {
  const item = el("li", {}, el("span", { class: "version-text" }, entry.text), " ");
  item.append(el("span", { class: "muted small" }, "kept on ", dayOf(entry.created_at)));
  if (desk && entry.superseded_by) item.append(" ", backButton(entry, desk));
  return item;
}

function backButton(entry, desk) {
  const click = async () => {
    if (await bringBack(entry.id)) desk.broughtBack(entry.id);
  };
  const label = `Bring back: ${entry.text}`;
  const props = { type: "button", class: "button small", "aria-label": label, on: { click } };
  return el("button", props, "Bring back");
}

/** One line of the audit log. */
export function auditItem(line) {
  return el("li", {}, momentOf(line.created_at), " ", el("span", {}, line.said));
}

function usedLine(entry) {
  const count = entry.access_count ?? 0;
  if (!count) return el("p", { class: "muted small" }, "No answer has used it yet.");
  const times = count === 1 ? "once" : `${count} times`;
  const line = el("p", { class: "muted small" }, `Recalled ${times}`);
  if (entry.last_accessed_at) line.append(", last on ", dayOf(entry.last_accessed_at));
  line.append(".");
  return line;
}

function lastScores(scores) {
  const parts = { usage: 1, quality: 1, ...scores };
  const bars = scoreBars(parts, { most: Math.max(1, parts.total), cut: null });
  return [lead("Its scores when it was last ranked"), bars];
}

function lead(words) {
  return el("p", { class: "why-lead" }, words);
}
