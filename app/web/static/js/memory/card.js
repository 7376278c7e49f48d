/** One memory as a card: its words, what is known about it, and what can be done with it. */

import { el, icon } from "../elements.js";
import { entryActions } from "../entry/actions.js";
import { dayOf } from "../entry/dates.js";
import { bringBack } from "../entry/forgetting.js";
import { toast } from "../toast.js";
import { editMemory } from "./entry_form.js";
import { historyPart } from "./history.js";

/**
 * @param {object} entry
 * @param {import("./desk.js").Desk} desk what the cards of the page have in common
 * @returns {HTMLLIElement}
 */
export function entryCard(entry, desk) {
  const card = el("li", { class: "card entry", tabindex: "-1", dataset: { id: entry.id } });
  draw(card, entry, desk);
  return card;
}

function draw(card, entry, desk) {
  const isPast = Boolean(entry.superseded_by || entry.trimmed_at);
  card.classList.toggle("past", isPast);
  const words = el("p", { class: "entry-text" }, entry.text);
  const facts = el("ul", { class: "entry-facts", "aria-label": "About it" }, factsOf(entry));
  const head = el("div", { class: "entry-head" }, isPast ? null : desk.selection.box(entry), words);
  const shown = { card, words, facts };
  const buttons = isPast ? pastButtons(entry, desk) : livingButtons(entry, desk, shown);
  const foot = el("div", { class: "entry-foot" }, buttons, historyPart(entry, desk));
  card.replaceChildren(head, facts, foot);
}

function livingButtons(entry, desk, { card, words, facts }) {
  const show = (changed) => {
    words.textContent = changed.text;
    facts.replaceChildren(...factsOf(changed));
    desk.selection.rename(changed);
    desk.changed();
  };
  const buttons = entryActions(entry, {
    onChanged: show,
    onForgotten: () => desk.takeAway([entry.id]),
    onRestored: (back) => desk.broughtBack(back.id),
  });
  const edit = async () => {
    const changed = await editMemory(entry.id, desk.banks).catch(notOpened);
    if (!changed) return;
    draw(card, changed, desk);
    desk.changed();
    card.querySelector("[data-act=edit]").focus();
  };
  const details = actButton("edit", "Details…", entry, edit);
  return el("div", { class: "entry-buttons" }, buttons, details);
}

function notOpened(problem) {
  toast(problem.status === 404 ? "It was forgotten since." : problem.detail);
}

function pastButtons(entry, desk) {
  const act = async () => {
    const restored = await bringBack(entry.id);
    if (restored) desk.broughtBack(restored.id);
  };
  const words = entry.trimmed_at ? "Keep again" : "Bring back";
  return el("div", { class: "entry-buttons" }, actButton("restore", words, entry, act));
}

function actButton(act, words, entry, click) {
  const label = `${words}: ${entry.text}`;
  const props = { type: "button", class: "button small", "aria-label": label };
  return el("button", { ...props, dataset: { act }, on: { click } }, words);
}

function factsOf(entry) {
  const facts = [];
  if (entry.pinned) facts.push(fact("mark", icon("pin"), "Pinned"));
  if (entry.manually_saved) facts.push(fact("mark", icon("bookmark"), "Saved by you"));
  if (entry.trimmed_at) facts.push(fact("warn", "Trimmed on ", dayOf(entry.trimmed_at)));
  else if (entry.superseded_by) facts.push(fact("warn", "Replaced by another one"));
  facts.push(fact("bank", entry.bank), fact("", entry.type));
  facts.push(...entry.tags.map((each) => fact("tag", tagLink(each))));
  facts.push(fact("when", dayOf(entry.created_at)));
  if (entry.occurred_at) facts.push(fact("when", "dated ", dayOf(entry.occurred_at)));
  return facts;
}

function tagLink(tag) {
  return el("a", { href: `/memory?tag=${encodeURIComponent(tag)}` }, `#${tag}`);
}

function fact(kind, ...words) {
  return el("li", { class: `fact ${kind}`.trim() }, words);
}
