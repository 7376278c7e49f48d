/** Elements made from words. Text only ever becomes text nodes: no string is read as HTML here. */

const PROPERTIES = new Set(["value", "checked", "indeterminate", "selected"]);

/**
 * An element. Of `props`: `class`, `dataset` (an object), `on` (listeners by event), the
 * properties of inputs, and any other name as an attribute (`true` is an empty one; `false`,
 * `null` and `undefined` leave it out). Children are nodes, strings, numbers, arrays of them, or
 * nothing.
 * @param {string} tag
 * @param {Object<string, any>} [props]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(node, name, value);
  node.append(...children.flat(Infinity).filter(isShown));
  return node;
}

/**
 * One of the drawn signs of the pages. It says nothing to a screen reader; the control around it
 * has a name.
 * @param {keyof typeof DRAWN} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", DRAWN[name]);
  svg.append(path);
  return svg;
}

/**
 * A button with a drawn sign; `label` is its name, shown beside the sign where `text` is given.
 * @param {keyof typeof DRAWN} name
 * @param {string} label
 * @param {Object<string, any>} [props]
 * @param {string} [text]
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, label, props = {}, text = "") {
  const named = text ? {} : { "aria-label": label, title: label };
  const classes = `icon-button ${props.class ?? ""}`.trim();
  return el("button", { type: "button", ...named, ...props, class: classes }, icon(name), text);
}

function set(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "class") node.className = value;
  else if (name === "dataset") Object.assign(node.dataset, value);
  else if (name === "on") {
    for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
  } else if (PROPERTIES.has(name)) node[name] = value;
  else node.setAttribute(name, value === true ? "" : String(value));
}

function isShown(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}

const DRAWN = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM20 20l-4.6-4.6",
  send: "M12 20V5M5.5 11.5L12 5l6.5 6.5",
  stop: "M7 7h10v10H7z",
  retry: "M20 5v5h-5M4 19v-5h5M19.4 10A8 8 0 0 0 5.6 7.5M4.6 14a8 8 0 0 0 13.8 2.5",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  down: "M12 5v14M5.5 12.5L12 19l6.5-6.5",
  chevron: "M9 6l6 6-6 6",
  mask: "M3 9c3-1.5 6-1.5 9 .5 3-2 6-2 9-.5 0 5-2 8-5 8-2 0-3-1.5-4-1.5S10 17 8 17c-3 0-5-3-5-8zM6.500 11.500c1-.8 2.500-.8 3.500.5M14 12c1-1.300 2.500-1.300 3.500-.5",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5",
  moon: "M20 14.500A8 8 0 0 1 9.500 4 8 8 0 1 0 20 14.500z",
  system: "M3 5h18v11H3zM8 20h8M12 16v4",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.500 20c.8-4 3.700-6 7.500-6s6.700 2 7.500 6",
  leave: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  bookmark: "M7 4h10v16l-5-4-5 4z",
  pin: "M9 4h6l-1 6 3 3v1H7v-1l3-3zM12 14v6",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
};
