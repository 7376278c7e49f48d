/** The menu at the end of the header: who is signed in, the theme, and signing out. */

import { del } from "./api.js";
import { el, icon, iconButton } from "./elements.js";
import { forgetStored } from "./stored.js";
import { themeChooser } from "./theme.js";
import { toast } from "./toast.js";

const SESSIONS = ["token", "jwt"];
// What another tab shows is nothing for whoever sits down after the one who signed out.
const signedOut = new BroadcastChannel("keepsake-signed-out");
signedOut.addEventListener("message", leave);

/** @returns {HTMLElement} `showMe` fills it */
export function accountMenu() {
  const panel = el(
    "div",
    { class: "menu-panel", id: "account-panel", hidden: true },
    el("p", { class: "who", id: "who" }),
    el("div", { id: "account-space" }),
    themeChooser(),
    el("div", { id: "account-more" }),
  );
  const button = iconButton("person", "Account and theme", {
    id: "account-button",
    "aria-expanded": "false",
    "aria-controls": "account-panel",
  });
  const menu = el("div", { class: "menu" }, button, panel);
  button.addEventListener("click", () => show(menu, panel.hidden));
  menu.addEventListener("keydown", (event) => event.key === "Escape" && close(menu, event));
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) show(menu, false);
  });
  document.addEventListener("pointerdown", ({ target }) => menu.contains(target) || show(menu, false));
  return menu;
}

/** @param {{user_id: string, auth_mode: string, offline: boolean, version: string}} me */
export function showMe(me) {
  const said = SESSIONS.includes(me.auth_mode) ? "Signed in as " : "You are ";
  document.getElementById("who").replaceChildren(said, el("strong", {}, me.user_id));
  const more = [el("p", { class: "small muted" }, `Keepsake ${me.version}${me.offline ? " · offline assistant" : ""}`)];
  if (SESSIONS.includes(me.auth_mode)) more.unshift(signOutButton());
  document.getElementById("account-more").replaceChildren(...more);
}

function signOutButton() {
  const props = { type: "button", class: "button", on: { click: signOut } };
  return el("button", props, icon("leave"), "Sign out");
}

async function signOut() {
  try {
    await del("/v1/session");
    signedOut.postMessage(null);
    leave();
  } catch (problem) {
    if (problem.status !== 401) toast(`You are still signed in. ${problem.message}`);
  }
}

function leave() {
  forgetStored("draft");
  location.assign("/sign-in");
}

function show(menu, open) {
  menu.lastElementChild.hidden = !open;
  menu.firstElementChild.setAttribute("aria-expanded", String(open));
}

function close(menu, event) {
  if (menu.lastElementChild.hidden) return;
  event.stopPropagation();
  show(menu, false);
  menu.firstElementChild.focus();
}
