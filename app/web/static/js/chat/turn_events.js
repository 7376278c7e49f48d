/** What each event of a turn does on the page. */

/**
 * By the name of the event: called with the conversation, the view of the turn, and the data.
 * Their names and data are those of the server's stream.
 * @type {Object<string, (conversation: import("./conversation.js").Conversation,
 *   turn: import("./turn_view.js").TurnView, data: object) => void>}
 */
export const TAKE = {
  turn(conversation, turn, { turn_id, conversation_id, privacy, kept }) {
    turn.began(turn_id, { kept, privacy });
    if (!kept) turn.answer.showPlainly();
    if (turn.instead) conversation.remove(turn.instead);
    conversation.id = conversation_id;
    conversation.become(privacy);
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
    turn.isSaved = done.saved;
    turn.answer.close(done);
    turn.setPrivate(turn.isPrivate && done.privacy !== "normal"); // what ends incognito stays
    conversation.become(done.privacy);
    conversation.setCurrent(null);
    if (done.question) turn.answer.ask(done.question, (answer) => conversation.send(answer));
    if (done.erased) conversation.on.erased(conversation);
    else if (done.forgotten.length || done.unsaid) conversation.forgot(done.forgotten);
    conversation.on.done(conversation, turn, done);
  },
  /** A stream that was opened tells of a message that is stored: “Try again” takes it back. */
  error(conversation, turn, problem) {
    turn.closed = true;
    turn.answer.failed(problem.detail);
    if (conversation.current === turn) conversation.setCurrent(null);
  },
  learned(_conversation, turn, learned) {
    turn.answer.learned(learned);
  },
};
