/** Questions in a native dialog: Escape says no, and the focus goes back to where it was. */

import { el } from "./elements.js";
import { labelled } from "./fields.js";

const FIELD = "textarea, input, select";
let made = 0;

/**
 * Asks before something is done.
 * @param {{title: string, text: string, confirm?: string, danger?: boolean}} question
 * @returns {Promise<boolean>}
 */
export async function confirmDialog({ title, text, confirm = "OK", danger = false }) {
  const fields = el("p", {}, text);
  return (await formDialog({ title, submit: confirm, danger, fields, send: () => true })) === true;
}

/**
 * Asks for words; null where there is no answer.
 * @param {{title: string, label: string, value?: string, confirm?: string}} question
 * @returns {Promise<string|null>}
 */
export async function promptDialog({ title, label, value = "", confirm = "Save" }) {
  const field = el("input", { type: "text", class: "field", value, required: true, autocomplete: "off" });
  const send = () => field.value.trim();
  const answer = formDialog({ title, submit: confirm, fields: labelled(label, field), send });
  field.select();
  return (await answer) || null;
}

/**
 * Asks for what its fields hold, and stays open until that was taken. The focus goes to the first
 * field; without one to the button that does no harm.
 * @param {{title: string, submit: string, danger?: boolean, fields: Node|Node[],
 *   send: () => any}} form `send` throws a Problem where it was not taken
 * @returns {Promise<any>} what `send` answered, null where the person left
 */
export function formDialog({ title, submit, danger = false, fields, send }) {
  const id = `dialog-title-${(made += 1)}`;
  const before = document.activeElement;
  const wrong = el("p", { class: "form-error", role: "alert" });
  const leave = { type: "button", class: "button", on: { click: () => dialog.close() } };
  const no = el("button", leave, "Cancel");
  const yes = el("button", { type: "submit", class: `button ${danger ? "danger" : "primary"}` }, submit);
  const form = el(
    "form",
    { class: "dialog-body" },
    el("h2", { id }, title),
    fields,
    wrong,
    el("div", { class: "dialog-buttons" }, no, yes),
  );
  const dialog = el("dialog", { class: "dialog", "aria-labelledby": id }, form);
  document.body.append(dialog);
  dialog.showModal();
  (form.querySelector(FIELD) ?? (danger ? no : yes)).focus();
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
