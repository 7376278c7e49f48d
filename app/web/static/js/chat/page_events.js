/** What the chat page does when something happens around it. */

import { refreshSettings } from "../shell.js";

/** @param {ChatPage} page */
export function listen(page) {
  addEventListener("popstate", () => page.openAddressed());
  document.addEventListener("incognitowanted", ({ detail }) => page.incognito(detail.on));
  document.addEventListener("settingschange", () => page.showPrivacyOf(page.shown));
  document.addEventListener("spacechange", ({ detail }) => spaceChanged(page, detail.space));
  document.addEventListener("visibilitychange", () => document.hidden || back(page));
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.key !== "Escape" || document.querySelector("dialog[open]");
    if (!elsewhere && page.shown.busy) page.shown.stop();
  });
}

/** The conversation that is open stays where it is one of the new space. */
function spaceChanged(page, space) {
  const stays = page.shown.spaceName === space;
  page.moved = page.drawer.refresh().then(() => stays || page.begin());
}

/** The reader is back: another tab may have changed things. */
function back(page) {
  page.drawer.refresh();
  refreshSettings().catch(() => {});
  page.shown.sync().catch(() => {});
}
