/** A sentence at the foot of the page, and perhaps one thing to do about it. */

import { el, iconButton } from "./elements.js";

let region = null;

/**
 * Shows `text`; it goes by itself, but not while the pointer or the focus is on it.
 * @param {string} text
 * @param {{action?: string, onAction?: () => void, seconds?: number}} [more] `action` is the name of
 *   a button, for example "Undo".
 * @returns {() => void} takes it away
 */
export function toast(text, { action, onAction, seconds = 8 } = {}) {
  const card = el("div", { class: "toast" }, el("span", { class: "toast-text" }, text));
  let timer = 0;
  const dismiss = () => {
    clearTimeout(timer);
    if (card.contains(document.activeElement)) document.querySelector("main")?.focus();
    card.remove();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(dismiss, seconds * 1000);
  };
  if (action) card.append(button(action, onAction, dismiss));
  card.append(iconButton("close", "Dismiss", { on: { click: dismiss } }));
  for (const event of ["mouseenter", "focusin"]) card.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["mouseleave", "focusout"]) card.addEventListener(event, wait);
  card.addEventListener("keydown", (event) => event.key === "Escape" && dismiss());
  place().append(card);
  wait();
  return dismiss;
}

function button(name, onAction, dismiss) {
  const act = () => {
    dismiss();
    onAction?.();
  };
  return el("button", { type: "button", class: "button small", on: { click: act } }, name);
}

function place() {
  if (!region?.isConnected) {
    region = el("div", { class: "toasts", role: "status", "aria-live": "polite", "aria-label": "Notices" });
    document.body.append(region);
  }
  return region;
}
