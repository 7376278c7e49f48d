/** A form in the place of the buttons, in which the words of a memory are put right. */

import { el } from "../elements.js";
import { MAX_CHARS } from "./changing.js";

let counted = 0;

/**
 * @param {{entry: import("../shapes.js").MemoryEntry, save: (fields: object) => Promise<object>}} opened
 * @param {{onSaved: (entry: object) => void, onCancel: () => void}} callbacks
 * @returns {HTMLFormElement} its text has the focus once `focusWords` is called on it
 */
export function fixForm({ entry, save }, { onSaved, onCancel }) {
  const id = `fix-${(counted += 1)}`;
  const words = el("textarea", {
    id,
    class: "field",
    rows: 3,
    maxlength: MAX_CHARS,
    required: true,
    value: entry.text,
  });
  const wrong = el("p", { class: "form-error", role: "alert" });
  const leave = { type: "button", class: "button small", on: { click: onCancel } };
  const cancel = el("button", leave, "Cancel");
  const yes = el("button", { type: "submit", class: "button small primary" }, "Save");
  const form = el(
    "form",
    { class: "fix-form" },
    el("label", { for: id }, "The right words"),
    words,
    el("p", { class: "muted small" }, "The old words are kept in its history."),
    wrong,
    el("div", { class: "form-buttons" }, yes, cancel),
  );
  listen(form, words, onCancel);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ entry, save }, { words, wrong, yes, onSaved, onCancel });
  });
  form.focusWords = () => words.focus();
  return form;
}

function listen(form, words, onCancel) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === words) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

async function send({ entry, save }, { words, wrong, yes, onSaved, onCancel }) {
  const text = words.value.trim();
  if (text === entry.text.trim()) return onCancel();
  yes.disabled = true;
  wrong.replaceChildren();
  try {
    return onSaved(await save({ text }));
  } catch (problem) {
    wrong.replaceChildren(problem.detail ?? "It could not be saved.");
    yes.disabled = false;
    return words.focus();
  }
}
