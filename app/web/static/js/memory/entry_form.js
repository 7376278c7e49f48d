/** Adding a memory, and editing all of one. */

import { idempotencyKey, post } from "../api.js";
import { formDialog } from "../dialog.js";
import { el } from "../elements.js";
import { MAX_CHARS, toChange } from "../entry/changing.js";
import { asInputDay, fromInputDay } from "../entry/dates.js";
import { choice, labelled, ticked } from "../fields.js";
import { TYPES } from "./filter.js";

const BLANK = { text: "", type: "", bank: "", tags: [], importance: 0.5, occurred_at: null };

/**
 * Asks for a new memory and keeps it.
 * @param {string|undefined} space
 * @param {string[]} banks
 * @returns {Promise<object|null>} what became of it
 */
export function addMemory(space, banks) {
  const fields = fieldsOf(BLANK, banks, "Chosen by its words");
  const pin = ticked("Pin it, so that it is never trimmed", false);
  const key = idempotencyKey();
  const send = () => {
    const said = { ...differences(BLANK, readFields(fields)), space, manually_saved: true };
    if (pin.querySelector("input").checked) said.pinned = true;
    return post("/v1/memory/entries", said, { "Idempotency-Key": key });
  };
  const form = { title: "Add a memory", submit: "Keep it", fields: [rows(fields), pin], send };
  return formDialog(form);
}

/**
 * Edits all of a memory, from what it is now. Only what is said otherwise is sent.
 * @param {string} id
 * @param {string[]} banks
 * @returns {Promise<import("../shapes.js").MemoryEntry|null>} as it is then; null where nothing became of it
 * @throws {Problem} where it cannot be read
 */
export async function editMemory(id, banks) {
  const opened = await toChange(id);
  const { entry, save } = opened;
  const fields = fieldsOf(entry, banks);
  const send = () => {
    const changed = differences(entry, readFields(fields));
    return Object.keys(changed).length ? save(changed) : entry;
  };
  const said = await formDialog({ title: "Edit this memory", submit: "Save", fields: rows(fields), send });
  return said ?? (opened.entry === entry ? null : opened.entry);
}

function fieldsOf(entry, banks, unchosen = null) {
  const first = unchosen ? [["", unchosen]] : [];
  const named = (names) => [...first, ...names.map((each) => [each, each])];
  const known = entry.bank && !banks.includes(entry.bank) ? [...banks, entry.bank] : banks;
  const range = { class: "range", type: "range", min: 0, max: 1, step: 0.05 };
  const happened = { class: "field", type: "date", value: asInputDay(entry.occurred_at) };
  return {
    text: el("textarea", {
      class: "field",
      rows: 4,
      maxlength: MAX_CHARS,
      required: true,
      value: entry.text,
    }),
    type: choice(named(TYPES), entry.type),
    bank: choice(named(known), entry.bank),
    tags: el("input", { class: "field", type: "text", value: entry.tags.join(", ") }),
    importance: el("input", { ...range, value: String(entry.importance) }),
    occurred_at: el("input", happened),
  };
}

function rows(fields) {
  return [
    labelled("What is to be remembered", fields.text),
    el("div", { class: "form-pair" }, labelled("Type", fields.type), labelled("Bank", fields.bank)),
    labelled("Tags", fields.tags, "Separated by commas."),
    el(
      "div",
      { class: "form-pair" },
      labelled("Importance", fields.importance, "From little to much."),
      labelled("When it happened", fields.occurred_at, "Leave empty if it has no day."),
    ),
  ];
}

function readFields(fields) {
  const tags = fields.tags.value.split(",").map((each) => each.trim());
  return {
    text: fields.text.value.trim(),
    type: fields.type.value,
    bank: fields.bank.value,
    tags: tags.filter(Boolean),
    importance: Number(fields.importance.value),
    occurred_at: fields.occurred_at.value,
  };
}

/** What is said otherwise than it was; a day is compared as the day it is here, and null without. */
function differences(entry, said) {
  const changed = {};
  for (const name of ["text", "type", "bank"]) {
    if (said[name] !== entry[name]) changed[name] = said[name];
  }
  if (said.tags.join() !== entry.tags.join()) changed.tags = said.tags;
  if (Math.abs(said.importance - entry.importance) > 0.026) changed.importance = said.importance;
  const day = said.occurred_at;
  if (day !== asInputDay(entry.occurred_at)) changed.occurred_at = fromInputDay(day);
  return changed;
}
