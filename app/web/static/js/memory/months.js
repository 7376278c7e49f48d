/** Memories by the month of one of their times. Pure. */

import { monthName } from "../entry/dates.js";

/**
 * The newest month first, and in it the newest memory; without those that have no such time.
 * @param {object[]} entries
 * @param {"created_at"|"occurred_at"} field
 * @returns {{key: string, name: string, entries: object[]}[]}
 */
export function byMonth(entries, field) {
  const dated = entries.filter((each) => each[field]);
  dated.sort((one, other) => new Date(other[field]) - new Date(one[field]));
  const months = new Map();
  for (const entry of dated) {
    const at = new Date(entry[field]);
    const key = `${at.getFullYear()}-${at.getMonth() + 1}`;
    if (!months.has(key)) months.set(key, { key, name: monthName(at), entries: [] });
    months.get(key).entries.push(entry);
  }
  return [...months.values()];
}
