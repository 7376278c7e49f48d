/** The stored messages of a conversation, as turns, and how far back they are shown. */

import { get } from "../api.js";

const PAGE = 40;
const MOST = 200;

/**
 * One turn as it is stored; each side is null where it is not stored, or is on another page.
 * @typedef {{id: string, said: import("../shapes.js").ConversationMessage|null,
 *   answer: import("../shapes.js").ConversationMessage|null}} StoredTurn
 * @typedef {{turns: StoredTurn[], since: number, next: string|null}} Read the oldest turn first;
 *   `since` is the time of the oldest message, `next` leads to what was said before it
 */

export class StoredTurns {
  /** @param {boolean} isNew all of a conversation that begins here is shown */
  constructor(isNew) {
    this.since = isNew ? -Infinity : Infinity;
    this.next = null;
  }

  /**
   * Everything that is shown, as it is stored now; at first the newest page. It may go further back.
   * @param {string} conversation @returns {Promise<Read>}
   */
  async read(conversation) {
    const limit = this.since === Infinity ? PAGE : MOST;
    let read = await page(conversation, limit);
    while (read.next && read.since > this.since) {
      const before = await page(conversation, limit, read.next);
      read = { ...before, messages: [...before.messages, ...read.messages] };
    }
    return { ...read, turns: byTurn(read.messages) };
  }

  /** The page before what is shown. @param {string} conversation @returns {Promise<Read>} */
  async older(conversation) {
    const read = await page(conversation, PAGE, this.next);
    return { ...read, turns: byTurn(read.messages) };
  }

  /** It is shown back to there from now on. @param {Read} read */
  reached({ since, next }) {
    this.next = next;
    this.since = next ? since : -Infinity;
  }
}

async function page(conversation, limit, cursor = null) {
  const path = `/v1/conversations/${encodeURIComponent(conversation)}/messages`;
  const { messages, next } = await get(path, { cursor, limit });
  return { messages, next, since: messages.length ? Date.parse(messages[0].created_at) : -Infinity };
}

/** @param {import("../shapes.js").ConversationMessage[]} messages the oldest first @returns {StoredTurn[]} */
function byTurn(messages) {
  const turns = new Map();
  for (const message of messages) {
    const turn = turns.get(message.turn_id) ?? { id: message.turn_id, said: null, answer: null };
    turn[message.role === "user" ? "said" : "answer"] = message;
    turns.set(message.turn_id, turn);
  }
  return [...turns.values()];
}
