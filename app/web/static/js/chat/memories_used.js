/** “Memories used” under an answer: each with since when it is kept, and why. */

import { el } from "../elements.js";
import { dayOf } from "../entry/dates.js";
import { whyView } from "../entry/why.js";
import { percent } from "../entry/words.js";
import { entryRow, FORGOTTEN, goneRow } from "./entry_row.js";

/**
 * @param {import("../shapes.js").DoneEvent|import("../shapes.js").ConversationMessage} rested
 * @param {{onForgotten: (ids: string[]) => void, onRestored: () => void}} callbacks
 * @returns {{element: HTMLElement, forgot: (ids: string[]) => void}|null} null where the answer did
 *   not look into memory; `forgot` takes out what it holds of memories that were forgotten
 */
export function memoriesUsed(rested, callbacks) {
  const { memories = [], quoted = [], left_out = [] } = rested;
  if (!memories.length && !quoted.length && !left_out.length) return null;
  const why = whyPart(rested);
  const list = el("ul", { class: "entry-rows" }, memories.map((each) => row(each, callbacks, why)));
  const element = el(
    "details",
    { class: "used" },
    el("summary", {}, `Memories used (${memories.length})`),
    memories.length ? list : el("p", { class: "small muted" }, "The answer rests on no memory."),
    quoted.length ? el("p", { class: "small muted" }, saidBefore(quoted.length)) : null,
    why.element,
  );
  const forgot = (ids) => {
    withoutWords(rested, ids);
    why.draw();
  };
  return { element, forgot };
}

/** Which past messages held what was forgotten is not known here, so none is quoted any more. */
function withoutWords(rested, ids) {
  rested.left_out = rested.left_out?.filter(({ id }) => !ids.includes(id));
  rested.quoted = rested.quoted?.map(({ id }) => ({ id }));
}

/** @param {import("../shapes.js").CitedMemory} memory */
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

/** Of what is likely to answer nothing needs to be said. */
const CONFIDENCE = {
  possible: "not sure that it answers · ",
  related: "near, but no answer · ",
};

function meta(memory) {
  return [
    el("span", { class: "relevance" }, `${percent(memory.relevance)} relevant`),
    " · ",
    CONFIDENCE[memory.confidence] ?? "",
    memory.bank ? `${memory.bank} · ` : "",
    "kept since ",
    dayOf(memory.created_at),
    memory.superseded ? " · replaced by another one" : "",
  ];
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
