/** What each event of a turn does on the page. */

import { Problem } from "../api.js";
import { hideForgotten } from "./entry_row.js";

/**
 * By the name of the event: called with the conversation, the view of the turn, and the data.
 * @type {Object<string, Function>}
 */
export const TAKE = {
  turn(conversation, turn, { turn_id, conversation_id, privacy }) {
    turn.id = turn_id;
    if (turn.instead) conversation.remove(turn.instead);
    Object.assign(conversation, { id: conversation_id, privacy });
    if (turn.stopping) conversation.stop();
    conversation.on.begun(conversation);
  },
  text(_conversation, turn, { text }) {
    turn.answer.add(text);
  },
  tool(_conversation, turn, { said }) {
    turn.answer.waiting(said);
  },
  done(conversation, turn, done) {
    turn.closed = true;
    turn.answer.close(done);
    conversation.privacy = done.privacy;
    conversation.setCurrent(null);
    hideForgotten(done.forgotten);
    if (done.erased) conversation.on.erased(conversation);
    else if (done.forgotten.length) conversation.retell();
    conversation.on.done(conversation, turn, done);
  },
  error(conversation, turn, problem) {
    if (turn.closed) return turn.answer.failed(problem.detail);
    turn.id = null; // an error without a “done” before it: nothing was stored
    conversation.failed(turn, new Problem(problem));
  },
  learned(_conversation, turn, learned) {
    turn.answer.learned(learned);
  },
};
