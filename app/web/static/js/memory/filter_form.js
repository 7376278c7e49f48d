/** Search as you type, and the filters behind a button. */

import { debounced } from "../debounced.js";
import { el, icon } from "../elements.js";
import { choice, labelled, ticked } from "../fields.js";
import { TYPES, countHidden, everything } from "./filter.js";

const PAUSE = 250;
const SWITCHES = [
  ["pinned", "Only pinned"],
  ["manually_saved", "Only saved by me"],
  ["include_replaced", "Also what was replaced"],
  ["include_trimmed", "Also what was trimmed"],
];

export class FilterForm {
  /** @param {(changes: object) => void} narrow told of every change */
  constructor(filter, narrow) {
    this.narrow = narrow;
    this.soon = debounced(() => narrow(this.read()), PAUSE);
    this.fields = fields();
    this.badge = el("span", { class: "badge", hidden: true });
    this.element = el("form", { class: "filter", role: "search" }, this.search(), this.more());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      narrow(this.read());
    });
    this.element.addEventListener("input", this.soon);
    this.show(filter);
    this.part.open = countHidden(filter) > 0;
  }

  /** Shows a filter that was chosen elsewhere. What is being typed stays. */
  show(filter) {
    for (const [name, field] of Object.entries(this.fields)) {
      const box = field.matches("label") ? field.querySelector("input") : field;
      if (box === document.activeElement && box.type !== "checkbox") continue;
      if (box.type === "checkbox") box.checked = filter[name];
      else box.value = filter[name];
    }
    const count = countHidden(filter);
    this.badge.hidden = count === 0;
    this.badge.textContent = String(count);
  }

  read() {
    const said = {};
    for (const [name, field] of Object.entries(this.fields)) {
      const isSwitch = field.matches("label");
      said[name] = isSwitch ? field.querySelector("input").checked : field.value.trim();
    }
    return said;
  }

  search() {
    this.fields.text.id = "memory-search";
    const hidden = { class: "visually-hidden", for: "memory-search" };
    const label = el("label", hidden, "Search the memories");
    return el("div", { class: "search-box" }, icon("search"), label, this.fields.text);
  }

  more() {
    const { type, tag, since, until } = this.fields;
    const clear = { type: "button", class: "button small", on: { click: () => this.clear() } };
    this.part = el(
      "details",
      { class: "filter-more" },
      el("summary", { class: "button" }, "Filters ", this.badge),
      el(
        "div",
        { class: "filter-grid" },
        labelled("Type", type),
        labelled("Tag", tag),
        labelled("Kept since", since),
        labelled("Kept until", until),
        el(
          "fieldset",
          { class: "filter-switches" },
          el("legend", {}, "Show"),
          SWITCHES.map(([name]) => this.fields[name]),
        ),
        el("button", clear, "Clear the filters"),
      ),
    );
    return this.part;
  }

  clear() {
    const { bank, ...nothing } = everything();
    this.narrow(nothing);
    this.show({ ...nothing, bank });
  }
}

function fields() {
  const types = [["", "Any"], ...TYPES.map((each) => [each, each])];
  const search = { class: "field", type: "search", placeholder: "Search", autocomplete: "off" };
  const known = {
    text: el("input", search),
    type: choice(types, ""),
    tag: el("input", { class: "field", type: "text", autocomplete: "off" }),
    since: el("input", { class: "field", type: "date" }),
    until: el("input", { class: "field", type: "date" }),
  };
  for (const [name, words] of SWITCHES) known[name] = ticked(words, false);
  return known;
}
