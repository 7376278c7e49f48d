/** Days and moments as the reader writes them, each with the exact time behind it. */

import { el } from "../elements.js";

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const MONTH = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric" });

/** A `<time>` with the day. */
export function dayOf(iso) {
  return timed(iso, DAY);
}

/** A `<time>` with day and hour. */
export function momentOf(iso) {
  return timed(iso, MOMENT);
}

/** "14:05", today's day left out. */
export function clock(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  return (today ? CLOCK : MOMENT).format(at);
}

/** "November 2026". */
export function monthName(date) {
  return MONTH.format(date);
}

/** The day where the reader is, as an `<input type="date">` holds it; "" for none. */
export function asInputDay(iso) {
  if (!iso) return "";
  const at = new Date(iso);
  const two = (number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The beginning of such a day as an ISO time, `days` later; null for none. */
export function fromInputDay(day, days = 0) {
  if (!day) return null;
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + days).toISOString();
}

function timed(iso, format) {
  const at = new Date(iso);
  return el("time", { datetime: iso, title: MOMENT.format(at) }, format.format(at));
}
