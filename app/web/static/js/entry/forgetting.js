/** Forgetting with its way back: at once with an Undo, or for good after a question. */

import { confirmDialog } from "../dialog.js";
import { toast } from "../toast.js";
import { forget, forgetForGood, restore } from "./changing.js";
import { clock } from "./dates.js";

const UNDO_SECONDS = 12;
const IS_ERASED =
  "is erased now, with its older versions, and taken out of what is stored of your " +
  "conversations. This cannot be undone.";
const WAITS =
  "Forgotten, and you can't undo it. The cache cannot be reached just now; it will be gone within 7 days.";
const FOR_GOOD = {
  title: "Forget this for good?",
  confirm: "Forget for good",
  danger: true,
};

/** Says what was done, with an Undo that stays a little longer than other notices. */
export function offerUndo(text, onUndo) {
  toast(text, { action: "Undo", onAction: onUndo, seconds: UNDO_SECONDS });
}

/** Forgets and offers the way back. Throws Problem. */
export async function forgetWithUndo(entry, { onForgotten, onRestored } = {}) {
  const answer = await forget(entry.id);
  onForgotten?.({ id: entry.id, ...answer });
  offerUndo("Forgotten. It is erased tomorrow.", () => bringBack(entry.id, onRestored));
  return answer;
}

/** Asks, then erases. Answers null where the person thought better of it. Throws Problem. */
export async function forgetAfterAsking(entry, { onForgotten } = {}) {
  const text = `“${entry.text}” ${IS_ERASED}`;
  if (!(await confirmDialog({ ...FOR_GOOD, text }))) return null;
  const answer = await forgetForGood(entry.id);
  onForgotten?.({ id: entry.id, ...answer });
  toast(undoUntil(answer));
  return answer;
}

/** Brings it back and says so, or says why it cannot be. */
export async function bringBack(id, onRestored) {
  try {
    const entry = await restore(id);
    onRestored?.(entry);
    toast("It is back.");
    return entry;
  } catch (problem) {
    toast(problem.detail ?? "It could not be brought back.");
    return null;
  }
}

/** That it is forgotten, and until when that can be undone, or whether it is gone already. */
export function undoUntil({ undo_until, erased }) {
  if (undo_until) return `Forgotten. It can be brought back until ${clock(undo_until)}.`;
  return erased ? "Forgotten for good." : WAITS;
}
