/** What Keepsake itself asks after an answer, with a button for each way to answer it. */

import { el } from "../elements.js";

const YES_OR_NO = [{ text: "Yes" }, { text: "No" }];

/**
 * Its words, unless the answer has them. A button says what is on it.
 * @param {import("../shapes.js").AskedQuestion} asked
 * @param {(answer: string) => void} onAnswer
 */
export function questionBox({ text, choices, in_reply: isInReply }, onAnswer) {
  const ways = choices.length ? choices : YES_OR_NO;
  const buttons = ways.map((way) =>
    el("button", { type: "button", class: "button small", on: { click: () => onAnswer(way.text) } }, way.text),
  );
  return el(
    "div",
    { class: "question", role: "group", "aria-label": "Keepsake asks" },
    !isInReply && el("p", {}, text),
    el("div", { class: "doubt-buttons" }, buttons),
  );
}
