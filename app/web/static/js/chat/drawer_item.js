/** One conversation in the drawer, with rename and delete. */

import { del, patch } from "../api.js";
import { confirmDialog, promptDialog } from "../dialog.js";
import { el, iconButton } from "../elements.js";
import { toast } from "../toast.js";

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {{title: string|null, created_at: string}} conversation @returns {string} */
export function titleOf({ title, created_at }) {
  return title || (created_at ? `Conversation of ${MOMENT.format(new Date(created_at))}` : "New chat");
}

/**
 * @param {object} conversation
 * @param {{current: boolean, onOpen: (id: string) => void, onRenamed: () => void,
 *   onDeleted: (id: string) => void}} how
 * @returns {HTMLLIElement}
 */
export function drawerItem(conversation, { current, onOpen, onRenamed, onDeleted }) {
  const title = titleOf(conversation);
  const open = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(conversation.id);
  };
  const props = { href: `/c/${conversation.id}`, class: "drawer-link", "aria-current": current ? "page" : null };
  return el(
    "li",
    { class: "drawer-item", dataset: { conversation: conversation.id } },
    el("a", { ...props, title, on: { click: open } }, title),
    iconButton("edit", `Rename “${title}”`, { on: { click: () => rename(conversation, onRenamed) } }),
    iconButton("trash", `Delete “${title}”`, { on: { click: () => remove(conversation, onDeleted) } }),
  );
}

async function rename(conversation, onRenamed) {
  const value = conversation.title ?? "";
  const title = await promptDialog({ title: "Rename the conversation", label: "Its title", value, confirm: "Rename" });
  if (title === null || title === value) return;
  try {
    await patch(`/v1/conversations/${conversation.id}`, { title });
    onRenamed({ ...conversation, title });
  } catch (problem) {
    toast(`It was not renamed. ${problem.message}`);
  }
}

async function remove(conversation, onDeleted) {
  const text = `“${titleOf(conversation)}” and all its messages are deleted now; this cannot be undone. Memories that were learned from it stay.`;
  const sure = await confirmDialog({ title: "Delete this conversation?", text, confirm: "Delete", danger: true });
  if (!sure) return;
  try {
    await del(`/v1/conversations/${conversation.id}`);
    toast("The conversation was deleted.");
    onDeleted(conversation.id);
  } catch (problem) {
    if (problem.status === 404) onDeleted(conversation.id);
    else toast(`It was not deleted. ${problem.message}`);
  }
}
