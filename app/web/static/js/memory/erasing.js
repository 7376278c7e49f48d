/** Erasing everything, after its words were typed. */

import { post } from "../api.js";
import { formDialog } from "../dialog.js";
import { el } from "../elements.js";
import { labelled } from "../fields.js";
import { forgetStored } from "../stored.js";
import { toast } from "../toast.js";

const WORDS = "erase everything";
const TOLD =
  "Every memory, every conversation, the settings and the log, in all spaces, and your API keys: " +
  "what signs in with one of them has to be given a new key. It is done at once and cannot be " +
  "undone; export first if you may want any of it.";

/** @param {{count: () => Promise<void>}} page counts anew afterwards */
export function erasePart(page) {
  const id = "settings-erase";
  const button = el("button", { type: "button", class: "button danger" }, "Erase everything…");
  button.addEventListener("click", () => ask(page, button));
  return el(
    "section",
    { class: "card", "aria-labelledby": id },
    el("h3", { id }, "Erase everything"),
    el("p", { class: "muted" }, TOLD),
    button,
  );
}

async function ask(page, button) {
  const words = el("input", {
    class: "field",
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    required: true,
    pattern: `\\s*${WORDS}\\s*`,
    title: WORDS,
  });
  const answer = await formDialog({
    title: "Erase everything?",
    submit: "Erase everything",
    danger: true,
    fields: [el("p", {}, TOLD), labelled(`Type “${WORDS}”`, words)],
    send: () => post("/v1/memory/erase", { confirm: WORDS }),
  });
  button.focus();
  if (!answer) return;
  forgetStored("draft");
  toast(said(answer));
  await page.view.load({ quiet: true });
  await page.count();
}

function said({ rows, caches_cleared }) {
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const done = `Everything is erased: ${new Intl.NumberFormat().format(count)} rows.`;
  const left = " Copies in a cache that could not be reached run out within 7 days.";
  return caches_cleared ? done : done + left;
}
