/** How private a conversation becomes, or has become. */

import { get, post } from "../api.js";

const NOW = {
  normal: "This conversation is not incognito any more: what you say in it is stored.",
  incognito: "This conversation is incognito now.",
  incognito_read_only: "This conversation is incognito now, and may read your memories.",
};

/**
 * Of one that has yet to begin nobody needs to be told.
 * @param {import("./conversation.js").Conversation} conversation
 * @param {"start"|"end"} what @param {boolean} readOnly
 * @returns {Promise<string>}
 */
export async function changedPrivacy(conversation, what, readOnly) {
  if (!conversation.id && what === "end") return "normal";
  if (!conversation.id) return readOnly ? "incognito_read_only" : "incognito";
  const body = { conversation_id: conversation.id, space: conversation.space() };
  if (what === "start") body.read_only = readOnly;
  return (await post(`/v1/memory/incognito/${what}`, body)).privacy;
}

/**
 * The server refused a message: perhaps the conversation is more or less private than this page
 * shows, since another tab changed it. The page then shows it.
 * @param {import("./conversation.js").Conversation} conversation
 * @returns {Promise<string|null>} how it is now, as a sentence; null where that was known
 */
export async function otherPrivacy(conversation) {
  if (!conversation.id) return null;
  const told = await get(`/v1/conversations/${conversation.id}`).catch(() => conversation);
  if (told.privacy === conversation.privacy) return null;
  conversation.become(told.privacy);
  conversation.on.privacy(conversation);
  return NOW[told.privacy];
}
