/** Doubtful updates: which of two memories holds. */

import { get, post } from "../api.js";
import { el } from "../elements.js";
import { momentOf } from "../entry/dates.js";
import { bringBack, offerUndo } from "../entry/forgetting.js";
import { currentSpace } from "../shell.js";
import { toast } from "../toast.js";
import { failure, skeleton } from "./states.js";
import { viewHead } from "./views.js";

const TOLD =
  "Where you said something that may replace what was known, both are kept until you say which " +
  "it is. There is no hurry.";
const NONE = "Nothing is in doubt.";

export class QuestionsView {
  constructor(page) {
    this.page = page;
    this.list = el("div", {});
    this.element = el("div", {}, viewHead("Questions", TOLD), this.list);
  }

  async load({ quiet = false } = {}) {
    if (!quiet) this.list.replaceChildren(skeleton(2));
    try {
      const { doubts } = await get("/v1/memory/doubts", { space: currentSpace() });
      const said = JSON.stringify(doubts);
      if (!quiet || said !== this.said) this.show(doubts);
      this.said = said;
    } catch (problem) {
      if (quiet) return;
      this.said = null;
      this.list.replaceChildren(failure(problem, () => this.load()));
    }
  }

  show(doubts) {
    const cards = doubts.map((each) => this.card(each));
    const none = el("p", { class: "state", tabindex: "-1" }, NONE);
    this.list.replaceChildren(cards.length ? el("ul", { class: "cards single" }, cards) : none);
  }

  card(doubt) {
    const question = questionOf(doubt);
    const card = el("li", { class: "card doubt", tabindex: "-1" });
    const told = ["Before: ", momentOf(doubt.older.created_at), " · now: "];
    card.append(
      el("h3", { class: "doubt-question" }, question),
      el("p", { class: "muted small" }, told, momentOf(doubt.newer.created_at)),
      el(
        "div",
        { class: "entry-buttons" },
        this.answer(doubt, card, "It changed", "newer"),
        this.answer(doubt, card, "The old one still holds", "older"),
        this.answer(doubt, card, "Both are true", "both"),
      ),
    );
    return card;
  }

  answer(doubt, card, words, holds) {
    const label = `${words}: ${questionOf(doubt)}`;
    const kind = holds === "newer" ? "button small primary" : "button small";
    const click = () => this.send(doubt, card, holds);
    return el("button", { type: "button", class: kind, "aria-label": label, on: { click } }, words);
  }

  async send(doubt, card, holds) {
    try {
      await post(`/v1/memory/doubts/${doubt.id}`, { holds });
    } catch (problem) {
      toast(problem.status === 404 ? "That was answered already." : problem.detail);
      if (problem.status !== 404) return;
    }
    this.takeAway(card);
    this.tell(doubt, holds);
  }

  tell({ older, newer }, holds) {
    if (holds === "both") toast("Both are kept.");
    else if (holds === "newer") offerUndo("The new one holds from now on.", () => bringBack(older.id));
    else offerUndo("The old one still holds.", () => bringBack(newer.id));
  }

  takeAway(card) {
    const next = card.nextElementSibling ?? card.previousElementSibling;
    card.remove();
    if (next) next.focus();
    else {
      this.show([]);
      this.list.querySelector("[tabindex]").focus();
    }
    this.page.count();
  }
}

function questionOf({ older, newer }) {
  return `You said “${older.text}” before; now “${newer.text}”?`;
}
