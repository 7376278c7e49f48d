/** Everything that is kept, as a file to take along. */

import { answered } from "../api.js";
import { el } from "../elements.js";
import { toast } from "../toast.js";

const TOLD =
  "Memories with what was replaced or trimmed, conversations, settings and the log, of all " +
  "spaces, as JSON.";

export function exportPart() {
  const button = el("button", { type: "button", class: "button" }, "Export");
  button.addEventListener("click", () => download(button));
  const id = "settings-export";
  return el(
    "section",
    { class: "card", "aria-labelledby": id },
    el("h3", { id }, "Take it along"),
    el("p", { class: "muted" }, TOLD),
    button,
  );
}

async function download(button) {
  button.disabled = true;
  try {
    const response = await answered("GET", "/v1/memory/export", { seconds: null });
    save(await response.blob(), nameOf(response));
    toast("Exported.");
  } catch (problem) {
    toast(problem.detail ?? "The export did not arrive. Try again.");
  }
  button.disabled = false;
  button.focus();
}

function nameOf(response) {
  const said = response.headers.get("Content-Disposition") ?? "";
  return /filename="?([^";]+)/.exec(said)?.[1] ?? "keepsake-export.json";
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
