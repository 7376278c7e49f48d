/** Keeps the focus where it was while a part of the page is drawn anew. */

/** Draws, then gives the focus back to the same control of the same memory. */
export function keepingFocus(draw) {
  const kept = placeOf(document.activeElement);
  draw();
  if (kept) find(kept)?.focus();
}

/** Puts the focus on the card of a memory. */
export function focusEntry(id) {
  document.querySelector(`.entry[data-id="${CSS.escape(id)}"]`)?.focus();
}

function placeOf(element) {
  const card = element?.closest?.(".entry");
  if (!card) return null;
  return { id: card.dataset.id, act: element.dataset.act };
}

function find({ id, act }) {
  const card = document.querySelector(`.entry[data-id="${CSS.escape(id)}"]`);
  return (act && card?.querySelector(`[data-act="${act}"]`)) || card;
}
