/** What the list is narrowed to, and how that stands in the address of the page. Pure functions. */

import { fromInputDay } from "../entry/dates.js";

const WORDS = ["text", "bank", "type", "tag", "since", "until"];
const SWITCHES = ["pinned", "manually_saved", "include_replaced", "include_trimmed"];

export const TYPES = [
  "fact",
  "preference",
  "decision",
  "note",
  "procedure",
  "constraint",
  "definition",
];

/** No narrowing at all. */
export function everything() {
  const words = WORDS.map((name) => [name, ""]);
  return Object.fromEntries([...words, ...SWITCHES.map((name) => [name, false])]);
}

/** @param {string} search the part of the address after "?" */
export function readFilter(search) {
  const said = new URLSearchParams(search);
  const filter = everything();
  for (const name of WORDS) filter[name] = said.get(name) ?? "";
  for (const name of SWITCHES) filter[name] = said.get(name) === "yes";
  return filter;
}

/** The part of the address for it; "" where nothing is narrowed. */
export function writeFilter(filter) {
  const said = new URLSearchParams();
  for (const name of WORDS) if (filter[name]) said.set(name, filter[name]);
  for (const name of SWITCHES) if (filter[name]) said.set(name, "yes");
  return said.size ? `?${said}` : "";
}

/** Whether anything is narrowed or widened. */
export function isNarrowed(filter) {
  return writeFilter(filter) !== "";
}

/** How many of the filters behind the button are set: all but the search and the bank. */
export function countHidden(filter) {
  const hidden = [...WORDS.filter((name) => !["text", "bank"].includes(name)), ...SWITCHES];
  return hidden.filter((name) => filter[name]).length;
}

/** The parameters of the listing. The last day counts as a whole. */
export function asParams(filter, space) {
  const params = { space };
  for (const name of ["text", "bank", "type", "tag"]) params[name] = filter[name];
  for (const name of SWITCHES) params[name] = filter[name] || null;
  params.since = fromInputDay(filter.since);
  params.until = fromInputDay(filter.until, 1);
  return params;
}
