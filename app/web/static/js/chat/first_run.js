/** The page before the first message. */

import { el, icon } from "../elements.js";
import { store, stored } from "../stored.js";

const TELL = [
  "I prefer uv over pip, and my sister Maria lives in Oslo.",
  "Remember that my dentist appointment is on Friday at 10.",
  "What do you remember about me?",
];
const ASK = ["What do you remember about me?", "What did I tell you last?", "Go incognito."];
const OFFLINE =
  "No model is configured, so this is the offline assistant: it recalls and quotes what you told it, and does not make up answers.";

/**
 * What stands in a conversation before its first message.
 * @param {{me: object, isNew: boolean, privacy: string, onPick: (text: string) => void}} options
 *   `isNew`: this person has no conversation yet
 * @returns {HTMLElement[]}
 */
export function beforeTheFirst({ me, isNew, privacy, onPick }) {
  const page = isNew && privacy === "normal" ? firstRun({ me, onPick }) : newChat({ privacy, onPick });
  return [page, offlineNote(me)].filter(Boolean);
}

/**
 * What this is, something to try, and what is kept where.
 * @param {{me: object, onPick: (text: string) => void}} options
 */
function firstRun({ me, onPick }) {
  return el(
    "section",
    { class: "state first-run" },
    el("h2", {}, "An assistant that remembers what you let it"),
    el("p", {}, "Talk to it. It notes what is worth keeping, shows under each answer which memories it rests on, and forgets when told."),
    el("h3", {}, "Try it"),
    examples(TELL, onPick),
    el("h3", {}, "What is kept, and where"),
    el("ul", { class: "kept-where" }, keptWhere(me).map((line) => el("li", {}, line))),
  );
}

/** The page of a new conversation, for somebody who knows it. @param {{privacy: string, onPick: Function}} options */
function newChat({ privacy, onPick }) {
  if (privacy !== "normal") return incognitoChat(privacy);
  return el("section", { class: "state new-chat" }, el("h2", {}, "What is on your mind?"), examples(ASK, onPick));
}

/** Says once that there is no model; null where that was read. @param {object} me */
function offlineNote(me) {
  if (!me.offline || stored("offline-said")) return null;
  const read = () => {
    store("offline-said", "yes");
    note.remove();
  };
  const button = el("button", { type: "button", class: "button small", on: { click: read } }, "I see");
  const note = el("div", { class: "note offline-note", role: "note" }, el("p", {}, OFFLINE), button);
  return note;
}

/** It was said, and something was answered: that is enough. */
export function offlineWasSaid() {
  store("offline-said", "yes");
}

function incognitoChat(privacy) {
  const reads = privacy === "incognito_read_only";
  return el(
    "section",
    { class: "state new-chat" },
    icon("mask"),
    el("h2", {}, "An incognito chat"),
    el("p", {}, "Neither these messages nor anything learned from them is stored. When you leave the page, the chat is gone."),
    el("p", {}, reads ? "Answers may rest on what was remembered before." : "Answers rest on nothing that was remembered before."),
  );
}

function examples(texts, onPick) {
  const item = (text) =>
    el("li", {}, el("button", { type: "button", class: "example", on: { click: () => onPick(text) } }, text));
  return el("ul", { class: "examples", "aria-label": "Examples" }, texts.map(item));
}

function keptWhere(me) {
  const here = me.auth_mode === "local" ? "on this machine" : "on the server you are signed in to";
  return [
    `Messages and memories are stored ${here}, for you alone.`,
    me.offline
      ? "No model is configured: nothing that you say leaves it."
      : "What you say, and the memories that fit, go to the model that is configured; to nobody else.",
    "Passwords, keys and card numbers never become memories.",
    "An incognito chat is stored nowhere. Every memory can be seen, changed and forgotten.",
  ];
}
