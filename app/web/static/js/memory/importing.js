/** Memories from a file, or from what another assistant wrote down. */

import { answered } from "../api.js";
import { el } from "../elements.js";
import { labelled } from "../fields.js";
import { currentSpace } from "../shell.js";

const TOLD =
  "An export of Keepsake, which brings its memories back as they were, or the memories of another " +
  "assistant, as its JSON or one in each line. What is known already is not kept twice.";
const KINDS = ".json,.txt,.md,text/*,application/json";

/** @param {{count: () => Promise<void>}} page counts anew afterwards */
export function importPart(page) {
  const id = "settings-import";
  const file = el("input", { class: "field", type: "file", accept: KINDS });
  const pasted = el("textarea", { class: "field", rows: 4 });
  const told = el("p", { class: "told", role: "status" });
  const button = el("button", { type: "submit", class: "button" }, "Import");
  const form = el(
    "form",
    {},
    labelled("A file", file),
    labelled("Or the text itself", pasted),
    button,
    told,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bringIn({ form, file, pasted, told, button, page });
  });
  return el(
    "section",
    { class: "card", "aria-labelledby": id },
    el("h3", { id }, "Bring memories in"),
    el("p", { class: "muted" }, TOLD),
    form,
  );
}

async function bringIn({ form, file, pasted, told, button, page }) {
  if (button.disabled) return;
  const chosen = file.files[0] ?? new Blob([pasted.value.trim()]);
  if (!chosen.size) {
    told.textContent = "Choose a file or paste its text first.";
    return;
  }
  button.disabled = true;
  told.textContent = "Reading… A hundred thousand memories take a few minutes.";
  try {
    told.textContent = (await send(chosen)).said;
    form.reset();
    await page.count();
  } catch (problem) {
    told.textContent = problem.detail ?? "It could not be imported. Try again.";
  }
  button.disabled = false;
}

/** The file goes as it is, from the disk; nobody knows how long a large one takes. */
async function send(body) {
  const params = { space: currentSpace() };
  const path = "/v1/memory/import/file";
  const response = await answered("POST", path, { body, params, seconds: null });
  return response.json();
}
