/** The chat page: the header, the drawer, the conversation that is open, and the field below it. */

import { mountShell, shellStart } from "../shell.js";
import { ChatPage } from "./chat_page.js";
import { errorState, loadingState } from "./states.js";

const main = document.getElementById("main");
const drawer = document.getElementById("drawer");

/** Draws the page, or says why it cannot be. */
async function start() {
  main.replaceChildren(loadingState("Opening Keepsake…"));
  drawer.hidden = true;
  try {
    const { me } = await mountShell({ page: "chat" });
    const page = new ChatPage(me, main, drawer);
    shellStart().replaceChildren(page.toggle.button);
    await page.start();
  } catch (problem) {
    if (problem.status === 401) return;
    const title = "The page could not be opened";
    main.replaceChildren(errorState({ title, text: problem.message, onRetry: start, heading: "h1" }));
    main.querySelector("button")?.focus();
  }
}

start();
