/** Fields with their labels. */

import { el } from "./elements.js";

let made = 0;

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
