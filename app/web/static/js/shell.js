/** The header of every page: its name, the way between pages, the space, the switches, the account. */

import { accountMenu, showMe } from "./account.js";
import { get } from "./api.js";
import { el, icon } from "./elements.js";
import { loadSpaces, spaceChooser } from "./spaces.js";
import { incognitoSwitch, memorySwitch, refreshSettings } from "./switches.js";

export { changeSpace, currentSpace } from "./spaces.js";
export { currentSettings, refreshSettings, showPrivacy, showSettings } from "./switches.js";

const NARROW = matchMedia("(max-width: 40rem)");
const PAGES = [
  ["chat", "/", "Chat"],
  ["memory", "/memory", "Memory"],
];

/**
 * Draws the header into `#shell`, then asks who is there and how the space is set. Drawing it again
 * is allowed, after an error for example.
 * @param {{page: "chat"|"memory"}} options
 * @returns {Promise<{me: object, settings: object, start: HTMLElement}>} `start` is an empty place
 *   at the beginning of the header
 * @throws {Problem} where the server cannot be reached; the header stands nevertheless
 */
export async function mountShell({ page }) {
  const start = el("div", { class: "shell-start" });
  document.getElementById("shell").replaceChildren(start, ...brandAndPages(page), controls(page), accountMenu());
  placeSpace();
  const me = await get("/v1/me");
  showMe(me);
  const [settings] = await Promise.all([refreshSettings(), loadSpaces(me.space)]);
  return { me, settings, start };
}

/** The header's empty place at its beginning. @returns {HTMLElement} */
export function shellStart() {
  return document.querySelector(".shell-start");
}

document.addEventListener("spacechange", () => refreshSettings().catch(() => {}));
NARROW.addEventListener("change", placeSpace);

/** Where there is little room the space is chosen in the menu; the switches stay in sight. */
function placeSpace() {
  const chooser = document.querySelector(".space-chooser");
  if (chooser) document.getElementById(NARROW.matches ? "account-space" : "shell-space").append(chooser);
}

function brandAndPages(page) {
  const brand = el("a", { class: "brand", href: "/" }, icon("bookmark"), el("span", {}, "Keepsake"));
  const links = PAGES.map(([name, href, text]) =>
    el("a", { href, "aria-current": name === page ? "page" : null }, text),
  );
  return [brand, el("nav", { class: "pages", "aria-label": "Pages" }, links)];
}

function controls(page) {
  return el(
    "div",
    { class: "shell-controls", role: "group", "aria-label": "Memory settings" },
    el("div", { id: "shell-space" }, spaceChooser()),
    memorySwitch(),
    incognitoSwitch(page),
  );
}
