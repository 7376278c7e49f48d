/** The space that the pages are in: a hard boundary between memories, of a project for example. */

import { get } from "./api.js";
import { promptDialog } from "./dialog.js";
import { el } from "./elements.js";
import { store, stored } from "./stored.js";

const NEW = "\u0000new";
let space = stored("space") ?? "";
let known = [];
let chooser = null;

/** @returns {string|undefined} undefined is the server's default, as long as that is not known */
export function currentSpace() {
  return space || undefined;
}

/** Goes over to a space and fires `spacechange` on the document. @param {string} name */
export function changeSpace(name) {
  if (!name || name === space) return;
  space = name;
  store("space", name);
  if (!known.includes(name)) known.push(name);
  draw();
  document.dispatchEvent(new CustomEvent("spacechange", { detail: { space } }));
}

/** The chooser; `loadSpaces` fills it. @returns {HTMLElement} */
export function spaceChooser() {
  chooser = el("select", { class: "select", id: "space", on: { change: onChange } });
  draw();
  return el("div", { class: "control space-chooser" }, el("label", { for: "space", class: "control-name" }, "Space"), chooser);
}

/** Asks which spaces there are. @param {string} fallback the server's default */
export async function loadSpaces(fallback) {
  space ||= fallback;
  known = [fallback];
  draw();
  const { spaces } = await get("/v1/memory/spaces");
  known = [...new Set([...spaces, fallback])];
  draw();
}

function draw() {
  if (!chooser) return;
  const names = [...new Set([...known, space])].filter(Boolean).sort();
  const options = names.map((name) => el("option", { value: name }, name));
  chooser.replaceChildren(...options, el("option", { value: NEW }, "New space…"));
  chooser.value = space;
  chooser.disabled = !names.length;
}

async function onChange() {
  const wanted = chooser.value;
  if (wanted !== NEW) return changeSpace(wanted);
  chooser.value = space;
  const text = "Name of the new space";
  const name = await promptDialog({ title: "New space", label: text, confirm: "Go there" });
  if (name) changeSpace(name);
}
