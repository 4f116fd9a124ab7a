// Elements without HTML: whatever comes from data is text.

import { marked } from "./words.js";

const LONGEST = 1500; // characters of a text in the list
const MOST_ITEMS = 200; // of a list

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

export function textOf(value) {
  if (Array.isArray(value)) return value.join(" ");
  return value === null || value === undefined ? "" : String(value);
}

export function shownValue(value) {
  if (!Array.isArray(value)) return textOf(value);
  const more = value.length > MOST_ITEMS ? `, … (${value.length.toLocaleString("en")})` : "";
  return `[${value.slice(0, MOST_ITEMS).join(", ")}${more}]`;
}

export function shownNumber(number) {
  return number.toLocaleString("en");
}

// A time of the manifest, which is in UTC.
export function shownTime(time) {
  return time.replace("T", " ").replace("+00:00", " UTC");
}

function textElement(pieces, element, whole) {
  const paragraph = make("p", { class: whole ? "text whole" : "text", dir: "auto", tabindex: whole ? "0" : undefined });
  let left = whole ? Infinity : LONGEST;
  for (const [text, changed] of pieces) {
    const shown = text.length > left ? `${text.slice(0, left)}…` : text;
    paragraph.append(changed ? make(element, {}, shown) : shown, " ");
    left -= text.length;
    if (left <= 0) break;
  }
  return paragraph;
}

// Texts beside each other, the words marked that only one of two has. Sides are [heading, text].
export function sides(list, { whole = false } = {}) {
  const texts = list.map(([, text]) => text);
  const parts = texts.length === 2 ? marked(...texts) : texts.map((text) => [[text, false]]);
  return make(
    "div",
    { class: list.length > 1 ? "sides" : "" },
    list.map(([heading], i) =>
      make("div", {}, make("h4", {}, heading), textElement(parts[i], i ? "ins" : "del", whole)),
    ),
  );
}
