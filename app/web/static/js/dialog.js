/** Questions in a native dialog: Escape says no, and the focus goes back to where it was. */

import { el } from "./elements.js";

let made = 0;

/**
 * Asks before something is done.
 * @param {{title: string, text: string, confirm?: string, danger?: boolean}} question
 * @returns {Promise<boolean>}
 */
export async function confirmDialog({ title, text, confirm = "OK", danger = false }) {
  const said = await asked({ title, confirm, danger }, el("p", {}, text));
  return said !== null;
}

/**
 * Asks for words; null where there is no answer.
 * @param {{title: string, label: string, value?: string, multiline?: boolean, confirm?: string}} question
 * @returns {Promise<string|null>}
 */
export async function promptDialog({ title, label, value = "", multiline = false, confirm = "Save" }) {
  const id = `dialog-field-${(made += 1)}`;
  const props = { id, class: "field", value, required: true, autocomplete: "off" };
  const field = multiline ? el("textarea", { ...props, rows: 5 }) : el("input", { ...props, type: "text" });
  const body = [el("label", { for: id }, label), field];
  if (multiline) field.addEventListener("keydown", sendOnEnter);
  const said = await asked({ title, confirm }, body, field);
  return said === null ? null : field.value.trim() || null;
}

function asked({ title, confirm, danger = false }, body, field = null) {
  const id = `dialog-title-${(made += 1)}`;
  const before = document.activeElement;
  const no = el("button", { type: "button", class: "button", on: { click: () => dialog.close("") } }, "Cancel");
  const yes = el("button", { type: "submit", class: `button ${danger ? "danger" : "primary"}` }, confirm);
  const form = el(
    "form",
    { method: "dialog", class: "dialog-body" },
    el("h2", { id }, title),
    body,
    el("div", { class: "dialog-buttons" }, no, yes),
  );
  const dialog = el("dialog", { class: "dialog", "aria-labelledby": id }, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close("yes");
  });
  document.body.append(dialog);
  dialog.showModal();
  (field ?? (danger ? no : yes)).focus();
  field?.select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.();
      resolve(dialog.returnValue === "yes" ? "yes" : null);
    });
  });
}

function sendOnEnter(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
}
