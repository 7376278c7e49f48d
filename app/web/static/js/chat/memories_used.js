/** “Memories used” under an answer: each with where it comes from, and why. */

import { el } from "../elements.js";
import { dayOf } from "../entry/dates.js";
import { whyView } from "../entry/why.js";
import { percent } from "../entry/words.js";
import { entryRow, FORGOTTEN, goneRow } from "./entry_row.js";

/**
 * @param {{memories: object[], quoted?: object[], left_out?: object[], min_relevance?: number}} rested
 *   of the `done` event, or of a stored message
 * @param {{onForgotten: (ids: string[]) => void, onRestored: () => void}} callbacks
 * @returns {HTMLElement|null} null where the answer did not look into memory
 */
export function memoriesUsed(rested, callbacks) {
  const { memories = [], quoted = [], left_out = [] } = rested;
  if (!memories.length && !quoted.length && !left_out.length) return null;
  const why = whyPart(rested);
  const list = el("ul", { class: "entry-rows" }, memories.map((each) => row(each, callbacks, why)));
  return el(
    "details",
    { class: "used" },
    el("summary", {}, `Memories used (${memories.length})`),
    memories.length ? list : el("p", { class: "small muted" }, "The answer rests on no memory."),
    quoted.length ? el("p", { class: "small muted" }, saidBefore(quoted.length)) : null,
    why.element,
  );
}

function row(memory, { onForgotten, onRestored }, why) {
  if (memory.gone || memory.text === null) return goneRow();
  const set = (gone) => {
    memory.gone = gone;
    why.draw();
  };
  const shown = entryRow(memory, {
    meta: meta(memory),
    onForgotten: (ids) => (set(true), onForgotten(ids)),
    onRestored: () => (set(false), onRestored()),
  });
  shown.addEventListener(FORGOTTEN, () => set(true));
  return shown;
}

function meta(memory) {
  return [
    el("span", { class: "relevance" }, `${percent(memory.relevance)} relevant`),
    " · ",
    memory.bank ? `${memory.bank} · ` : "",
    source(memory),
    memory.superseded ? " · replaced by a newer one" : "",
  ];
}

/** When it was said, where that is known, else since when it is kept. */
function source(memory) {
  if (memory.source?.said_at) return ["said on ", dayOf(memory.source.said_at)];
  return ["kept since ", dayOf(memory.created_at)];
}

function saidBefore(count) {
  return count === 1 ? "And one past message." : `And ${count} past messages.`;
}

/** Made when it is opened for the first time, and anew when a memory has gone or is back. */
function whyPart(rested) {
  const place = el("div");
  const element = el("details", { class: "why-part" }, el("summary", {}, "Why these?"), place);
  const draw = () => place.hasChildNodes() && place.replaceChildren(whyView(rested));
  element.addEventListener("toggle", () => {
    if (element.open && !place.hasChildNodes()) place.append(whyView(rested));
  });
  return { element, draw };
}
