/** Light, dark, or as the system has it. `first-paint.js` applies the choice before this runs. */

import { el, icon } from "./elements.js";
import { store, stored } from "./stored.js";

const THEMES = [
  ["system", "System", "system"],
  ["light", "Light", "sun"],
  ["dark", "Dark", "moon"],
];

/** Three radio buttons in a row. @returns {HTMLElement} */
export function themeChooser() {
  const chosen = stored("theme") ?? "system";
  return el(
    "fieldset",
    { class: "segments" },
    el("legend", {}, "Theme"),
    THEMES.map(([theme, name, sign]) => choice(theme, name, sign, theme === chosen)),
  );
}

function choice(theme, name, sign, checked) {
  const on = { change: () => apply(theme) };
  return el(
    "label",
    { class: "segment" },
    el("input", { type: "radio", name: "theme", value: theme, checked, on }),
    icon(sign),
    el("span", {}, name),
  );
}

function apply(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  store("theme", theme === "system" ? null : theme);
}
