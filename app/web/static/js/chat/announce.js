/** Tells a screen reader of an answer once, when it is complete. */

const LONGEST = 1500;
// It has been heard by then; the words shall not stand on the page twice.
const CLEARED = 3000;
let timer = 0;

/** @param {string} text @param {{status: string, memories: object[]}} done */
export function announceAnswer(text, { status, memories }) {
  const words = text.length > LONGEST ? `${text.slice(0, LONGEST)}… The rest is on the page.` : text;
  const ended = status === "complete" ? "" : " The answer was not finished.";
  const used = memories.length ? ` It rests on ${counted(memories.length)}.` : "";
  const announcer = document.getElementById("announcer");
  announcer.textContent = `Keepsake: ${words}${ended}${used}`;
  clearTimeout(timer);
  timer = setTimeout(() => announcer.replaceChildren(), CLEARED);
}

function counted(memories) {
  return memories === 1 ? "one memory" : `${memories} memories`;
}
