/** What went wrong with a turn, and the ways on. */

import { Problem } from "../api.js";
import { otherPrivacy } from "./privacy.js";

// The same message would be refused again.
const REFUSED = [413, 422];
const BROKEN = "Something went wrong on this page. Reload it to go on.";

/**
 * A turn that has an id was stored, and is read again; one that was said incognito cannot be read, and
 * is said again. Any other is not known to be: its message can
 * be sent once more, under its key, so that it is not said twice.
 * @param {import("./conversation.js").Conversation} conversation
 * @param {import("./turn_view.js").TurnView} turn
 * @param {Error} problem
 */
export async function tellFailed(conversation, turn, problem) {
  if (!(problem instanceof Problem)) console.error(problem);
  const sentence = problem.detail ?? BROKEN;
  if (turn.id && turn.isPrivate) return turn.answer.failed(sentence);
  if (turn.id) return turn.answer.failed(sentence, { "Try again": () => readAgain(conversation, turn) });
  const again = () => (takeAway(conversation, turn), conversation.send(turn.text, turn.instead, turn.key));
  const edit = () => (takeAway(conversation, turn), conversation.on.edit(conversation, turn.text));
  const isRefused = REFUSED.includes(problem.status);
  const said = (isRefused && (await otherPrivacy(conversation))) || sentence;
  const ways = { ...(isRefused ? {} : { "Try again": again }), "Edit the message": edit };
  return turn.answer.failed(`${said} Your message was not sent.`, ways);
}

function readAgain(conversation, turn) {
  conversation.load().catch((problem) => tellFailed(conversation, turn, problem));
}

/** The turn goes; the one that it was to replace is there again. */
function takeAway(conversation, turn) {
  conversation.remove(turn);
  if (turn.instead) turn.instead.element.hidden = false;
  conversation.mark();
}
