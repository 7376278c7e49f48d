/** Where a memory comes from: what was said, when, and the conversation it was said in. */

import { get } from "../api.js";
import { el } from "../elements.js";
import { dayOf } from "./dates.js";
import { heardAs } from "./words.js";

/** The address of a conversation in the chat. */
export function conversationLink(id, words = "open the conversation") {
  return el("a", { href: `/c/${encodeURIComponent(id)}`, class: "source-link" }, words);
}

/** A closed part that asks for the source when it is opened. */
export function sourceView(id) {
  const told = el("div", { class: "source-told", "aria-live": "polite" });
  const part = el("details", { class: "source" }, el("summary", {}, "Where it comes from"), told);
  part.addEventListener("toggle", () => {
    if (part.open && !told.hasChildNodes()) fill(told, id);
  });
  return part;
}

/** The words of it, of an entry that is known in full. */
export function sourceLines(entry) {
  const lines = [keptLine(entry)];
  if (entry.source) {
    lines.push(el("blockquote", { class: "source-quote" }, entry.source.text));
    lines.push(
      el(
        "p",
        {},
        "Said on ",
        dayOf(entry.source.said_at),
        " · ",
        conversationLink(entry.source.conversation_id),
      ),
    );
  }
  return lines;
}

async function fill(told, id) {
  told.replaceChildren(el("p", { class: "muted small" }, "Looking…"));
  try {
    const entry = await get(`/v1/memory/entries/${id}`);
    told.replaceChildren(...sourceLines(entry), ...replacedLines(entry));
  } catch (problem) {
    const gone = problem.status === 404;
    told.replaceChildren(el("p", {}, gone ? "It was forgotten since." : problem.detail));
  }
}

function keptLine(entry) {
  const how = entry.manually_saved ? "You asked me to keep it" : "Learned from what you said";
  const line = el("p", {}, how, " on ", dayOf(entry.created_at));
  if (entry.occurred_at) line.append("; dated ", dayOf(entry.occurred_at));
  if (entry.repeat_count) line.append(`; said again ${times(entry.repeat_count)}`);
  if (entry.pinned) line.append("; pinned");
  if (entry.heard) line.append(`; ${heardAs(entry.heard)}`);
  return line;
}

/** What replaced what. */
function replacedLines(entry) {
  const lines = entry.older.map((each) => ["It took the place of ", each]);
  if (entry.replaced_by) lines.push(["Replaced by ", entry.replaced_by]);
  return lines.map(([lead, each]) => el("p", {}, lead, el("q", {}, each.text)));
}

function times(count) {
  return count === 1 ? "once" : `${count} times`;
}
