/** A form in a dialog, which stays open until what it sends was taken. */

import { el } from "../elements.js";

let made = 0;

/**
 * @param {{title: string, submit: string, danger?: boolean, fields: Node[],
 *   send: () => Promise<any>}} form `send` throws a Problem where it was not taken
 * @returns {Promise<any>} what `send` answered, null where the person left
 */
export function formDialog({ title, submit, danger = false, fields, send }) {
  const id = `form-dialog-${(made += 1)}`;
  const before = document.activeElement;
  const wrong = el("p", { class: "form-error", role: "alert" });
  const leave = { type: "button", class: "button", on: { click: () => dialog.close() } };
  const kind = danger ? "danger" : "primary";
  const yes = el("button", { type: "submit", class: `button ${kind}` }, submit);
  const form = el(
    "form",
    { class: "dialog-body memory-form" },
    el("h2", { id }, title),
    fields,
    wrong,
    el("div", { class: "dialog-buttons" }, el("button", leave, "Cancel"), yes),
  );
  const dialog = el("dialog", { class: "dialog", "aria-labelledby": id }, form);
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("textarea, input, select")?.focus();
  return answerOf(dialog, form, { wrong, yes, send, before });
}

function answerOf(dialog, form, { wrong, yes, send, before }) {
  return new Promise((resolve) => {
    let answer = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (yes.disabled) return;
      yes.disabled = true;
      wrong.replaceChildren();
      try {
        answer = await send();
        dialog.close();
      } catch (problem) {
        wrong.replaceChildren(problem.detail ?? "That did not work. Try again.");
      }
      yes.disabled = false;
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before?.isConnected) before.focus();
      resolve(answer);
    });
  });
}

/** A label with its field; `note` is told with it. */
export function labelled(name, field, note = "") {
  const id = `field-${(made += 1)}`;
  field.id = id;
  const told = note ? el("p", { class: "muted small", id: `${id}-note` }, note) : null;
  if (told) field.setAttribute("aria-describedby", told.id);
  return el("div", { class: "labelled" }, el("label", { for: id }, name), field, told);
}

/** A box to tick with its words behind it. */
export function ticked(name, checked, props = {}) {
  const box = el("input", { type: "checkbox", checked, ...props });
  return el("label", { class: "ticked" }, box, el("span", {}, name));
}

/** A choice; `choices` are pairs of value and words. */
export function choice(choices, value, props = {}) {
  const field = el("select", { class: "field", ...props });
  for (const [each, words] of choices) field.append(el("option", { value: each }, words));
  field.value = value;
  return field;
}
