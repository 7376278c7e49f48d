/** Why an answer says what it says: what it rests on, and what was left out. */

import { el } from "../elements.js";
import { bar, scoreBars } from "./bars.js";
import { dayOf } from "./dates.js";
import { leftOutView } from "./left_out.js";
import { conversationLink, sourceView } from "./source.js";
import {
  BY_RELEVANCE,
  NOTHING_USED,
  figure,
  figures,
  howFound,
  isByRelevance,
  notes,
  speaker,
} from "./words.js";

/**
 * @param {import("../shapes.js").DoneEvent|import("../shapes.js").ConversationMessage} answer
 * @returns {HTMLElement}
 */
export function whyView({ memories = [], quoted = [], left_out = [], min_relevance = null } = {}) {
  const living = memories.filter((each) => !each.gone);
  const gone = memories.length - living.length;
  const view = el("div", { class: "why" });
  view.append(...usedPart(living, min_relevance));
  if (gone) view.append(line(`Forgotten since: ${gone} more that it rested on.`));
  if (isByRelevance(scoresOf(living))) view.append(line(BY_RELEVANCE));
  if (quoted.length) view.append(...quotedPart(quoted));
  if (left_out.length) view.append(leftOutView(left_out, min_relevance));
  return view;
}

function usedPart(memories, cut) {
  if (!memories.length) return [line(NOTHING_USED)];
  const most = Math.max(1, ...scoresOf(memories).map((scores) => scores.total));
  const list = el(
    "ol",
    { class: "why-list", "aria-label": "The memories it rests on" },
    ...memories.map((each) => usedItem(each, most, cut)),
  );
  return [el("p", { class: "why-lead" }, "The answer rests on:"), list];
}

function usedItem(memory, most, cut) {
  const scores = memory.why?.scores;
  return el(
    "li",
    { class: "why-memory" },
    el("p", { class: "why-text" }, memory.text),
    scores ? scoreBars(scores, { most, cut }) : bar("relevance", memory.relevance, { cut }),
    memory.answers === null ? "" : bar("answers", memory.answers),
    detailsOf(memory),
    sourceView(memory.id),
  );
}

function detailsOf(memory) {
  const rows = [];
  if (memory.why) {
    rows.push(["found", howFound(memory.why)], ["measured", figures(memory.why)]);
  }
  rows.push(["noted", notes(memory)], ["kept", dayOf(memory.created_at)]);
  const list = el("dl", { class: "why-details" });
  for (const [name, told] of rows) {
    if (told) list.append(el("div", {}, el("dt", {}, name), el("dd", {}, told)));
  }
  return list;
}

/** Of a stored answer is known how many they were, and no more. */
function quotedPart(quoted) {
  const known = quoted.filter((each) => each.text);
  if (!known.length) return [el("p", { class: "why-lead" }, counted(quoted.length))];
  const list = el(
    "ul",
    { class: "why-quoted", "aria-label": "The past messages it rests on" },
    ...known.map(quotedItem),
  );
  return [el("p", { class: "why-lead" }, "And on past messages:"), list];
}

function counted(messages) {
  return messages === 1 ? "And on one past message." : `And on ${messages} past messages.`;
}

function quotedItem(message) {
  return el(
    "li",
    {},
    el("span", { class: "why-number" }, figure(message.relevance)),
    " ",
    dayOf(message.created_at),
    ` ${speaker(message.role)}: `,
    el("q", {}, message.text),
    " ",
    conversationLink(message.conversation_id),
  );
}

function scoresOf(memories) {
  return memories.filter((each) => each.why).map((each) => each.why.scores);
}

function line(words) {
  return el("p", { class: "muted small" }, words);
}
