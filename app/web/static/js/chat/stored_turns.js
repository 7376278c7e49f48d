/** The stored messages of a conversation, as turns. */

import { get } from "../api.js";

const PAGE = 40;

/**
 * One page of turns, the oldest first.
 * @param {string} conversation @param {string} [cursor] of an earlier answer
 * @returns {Promise<{turns: {id: string, said: object|null, answer: object|null}[], next: string|null}>}
 */
export async function storedTurns(conversation, cursor) {
  const path = `/v1/conversations/${encodeURIComponent(conversation)}/messages`;
  const { messages, next } = await get(path, { cursor, limit: PAGE });
  return { turns: byTurn(messages), next };
}

/** @param {object[]} messages the oldest first */
export function byTurn(messages) {
  const turns = new Map();
  for (const message of messages) {
    const turn = turns.get(message.turn_id) ?? { id: message.turn_id, said: null, answer: null };
    turn[message.role === "user" ? "said" : "answer"] = message;
    turns.set(message.turn_id, turn);
  }
  return [...turns.values()];
}
