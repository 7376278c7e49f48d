/** How private a conversation becomes. */

import { post } from "../api.js";

/**
 * Of one that has yet to begin nobody needs to be told.
 * @param {Conversation} conversation @param {"start"|"end"} what @param {boolean} readOnly
 * @returns {Promise<string>}
 */
export async function changedPrivacy(conversation, what, readOnly) {
  if (!conversation.id && what === "end") return "normal";
  if (!conversation.id) return readOnly ? "incognito_read_only" : "incognito";
  const body = { conversation_id: conversation.id, space: conversation.space() };
  if (what === "start") body.read_only = readOnly;
  return (await post(`/v1/memory/incognito/${what}`, body)).privacy;
}
