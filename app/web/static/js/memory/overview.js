/** Every bank that holds something, with its most important memories. */

import { el } from "../elements.js";
import { entryCard } from "./card.js";

/**
 * @param {{banks: object[]}} summary
 * @param {object} desk
 * @param {(bank: string) => void} openBank shows all of a bank
 */
export function overviewOf(summary, desk, openBank) {
  const held = summary.banks.filter((each) => each.count > 0);
  return el("div", { class: "overview" }, held.map((each) => bankSection(each, desk, openBank)));
}

function bankSection({ bank, count, entries }, desk, openBank) {
  const id = `bank-${bank.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const cards = el("ul", { class: "cards" }, entries.map((each) => entryCard(each, desk)));
  const section = el(
    "section",
    { class: "bank-section", "aria-labelledby": id },
    el("h3", { id }, bank, " ", el("span", { class: "bank-count" }, String(count))),
    cards,
  );
  if (count > entries.length) section.append(allButton(bank, count, openBank));
  return section;
}

function allButton(bank, count, openBank) {
  const props = { type: "button", class: "button small", on: { click: () => openBank(bank) } };
  return el("button", props, `Show all ${count} in ${bank}`);
}
