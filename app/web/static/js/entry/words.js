/** The words of the why view, the same as the terminal's. Pure functions. */

export const NOTHING_USED = "The answer rests on no memory.";
export const BY_RELEVANCE = "Recency and importance do not count in this ranking.";

const WHO = { user: "you", assistant: "Keepsake", system: "the system" };
const KINDS = {
  fact: "a fact",
  update: "a change",
  correct: "a correction",
  end: "an end",
  passing: "something passing",
  quotation: "something quoted",
  remember: "a wish to remember",
};
const LIFETIMES = { long: "lasts", while: "for a while", days: "for days" };
const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
// Rounded as the terminal rounds.
const places = (count) =>
  new Intl.NumberFormat("en", {
    minimumFractionDigits: count,
    maximumFractionDigits: count,
    roundingMode: "halfEven",
    useGrouping: false,
  });
const TWO_PLACES = places(2);
const ONE_PLACE = places(1);
const WHOLE_PERCENT = new Intl.NumberFormat("en", { style: "percent", roundingMode: "halfEven" });

/** 0.5 is "0.50". */
export function figure(value) {
  return TWO_PLACES.format(value);
}

/** Rounded down: what is below the cut shall not look as if it reached it. */
export function share(value) {
  return figure(Math.floor(Number((value * 100).toFixed(6))) / 100);
}

/** 0.584 is "58%". */
export function percent(value) {
  return WHOLE_PERCENT.format(value);
}

/** "1st by its words, 3rd by its meaning"; empty where neither leg found it. */
export function howFound(why) {
  const ranks = [
    [why.keyword_rank, "words"],
    [why.vector_rank, "meaning"],
  ];
  return ranks
    .filter(([rank]) => rank)
    .map(([rank, leg]) => `${rank}${ENDINGS[ORDINAL.select(rank)]} by its ${leg}`)
    .join(", ");
}

/** What the legs measured, as far as it is known. */
export function figures(why) {
  const known = [
    [why.cosine, (value) => `cosine ${figure(value)}`],
    [why.bm25, (value) => `BM25 ${ONE_PLACE.format(value)}`],
    [why.coverage, (value) => `${percent(value)} of the question's words`],
  ];
  return known
    .filter(([value]) => value !== null && value !== undefined)
    .map(([value, told]) => told(value))
    .join(", ");
}

/** What else spoke for a memory, and that it is no longer true. */
export function notes(memory) {
  const told = [...(memory.why?.notes ?? [])];
  if (memory.superseded && !told.includes("no longer true")) {
    told.push("replaced by another one");
  }
  return told.join("; ");
}

/** "heard as a fact (health, lasts), 97% sure". @param {import("../shapes.js").HeardAs} heard */
export function heardAs({ kind, category, lifetime, sure }) {
  const told = KINDS[kind] ?? kind.replaceAll("_", " ");
  return `heard as ${told} (${category}, ${LIFETIMES[lifetime]}), ${percent(sure)} sure`;
}

/** Who said a message, as a reader is told. */
export function speaker(role) {
  return WHO[role] ?? role;
}

/** Whether every total is the relevance times what it is multiplied by, and no more. */
export function isByRelevance(scores) {
  const alone = (each) => Math.abs(each.total - each.relevance * each.usage * each.quality) < 1e-6;
  return scores.length > 0 && scores.every(alone);
}
