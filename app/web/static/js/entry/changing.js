/** What the buttons beside a memory ask of the server. */

import { del, patch, post } from "../api.js";

const at = (id) => `/v1/memory/entries/${encodeURIComponent(id)}`;

/** Pins or unpins it. Answers the entry. */
export function setPinned(id, pinned) {
  return pinned ? post(`${at(id)}/pin`) : del(`${at(id)}/pin`);
}

/** Changes the named fields, and no other. Answers the entry. */
export function change(id, fields) {
  return patch(at(id), fields);
}

/** Out of every answer at once; erased a day later. Answers `{forgotten, undo_until}`. */
export function forget(id) {
  return del(at(id));
}

/** Erased now. Answers the same, `undo_until` null. */
export function forgetForGood(id) {
  return del(at(id), { for_good: true });
}

/** Takes back a forgetting within its day, or a replacement. Answers the entry. */
export function restore(id) {
  return post(`${at(id)}/restore`);
}
