/** What the buttons beside a memory ask of the server. */

import { del, getTagged, patch, post, Problem } from "../api.js";

/** The longest text of a memory that the server takes. */
export const MAX_CHARS = 8192;

const at = (id) => `/v1/memory/entries/${encodeURIComponent(id)}`;

/** Pins or unpins it. Answers the entry. */
export function setPinned(id, pinned) {
  return pinned ? post(`${at(id)}/pin`) : del(`${at(id)}/pin`);
}

/**
 * A memory that is about to be changed, as it is now. `save` changes the named fields, and no other,
 * and answers the entry. Where it was changed meanwhile, in another tab perhaps, `save` writes
 * nothing, has `entry` as it is now, and throws a Problem that says how it reads; saved once more,
 * it is overwritten.
 * @param {string} id
 * @returns {Promise<{entry: import("../shapes.js").EntryDetails,
 *   save: (fields: object) => Promise<import("../shapes.js").MemoryEntry>}>}
 */
export async function toChange(id) {
  const opened = { entry: null, save };
  let tag = null;
  const read = async () => ({ body: opened.entry, etag: tag } = await getTagged(at(id)));

  async function save(fields) {
    try {
      return await patch(at(id), fields, { "If-Match": tag });
    } catch (problem) {
      if (problem.status !== 412) throw problem;
      await read();
      throw new Problem({ ...problem, detail: changedMeanwhile(opened.entry) });
    }
  }

  await read();
  return opened;
}

function changedMeanwhile({ text }) {
  return `It was changed elsewhere meanwhile, and nothing was saved. It reads now: “${text}”. Save again to have it your way.`;
}

/** Out of every answer at once; erased a day later. Answers `{forgotten, undo_until, erased}`. */
export function forget(id) {
  return del(at(id));
}

/** Erased now, unless the cache is away. Answers the same, `undo_until` null. */
export function forgetForGood(id) {
  return del(at(id), { for_good: true });
}

/** Takes back a forgetting within its day, or a replacement. Answers the entry. */
export function restore(id) {
  return post(`${at(id)}/restore`);
}
