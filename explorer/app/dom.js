// Creates elements without parsing HTML: all data is inserted as text.

import { wordsOf } from "./store.js";
import { marked, merged } from "./words.js";

const LONGEST = 1500; // characters shown of each text in the list
const BEFORE = 200; // characters kept before the first search hit of a text that is cut at its beginning
const MOST_ITEMS = 200; // items shown of a list value

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

// A time from the manifest, which is in UTC.
export function shownTime(time) {
  return time.replace("T", " ").replace("+00:00", " UTC");
}

// A text with the words found by a search marked.
export function withHits(text, words) {
  if (!words.length) return [text];
  return text
    .split(/([\p{L}\p{N}_]+)/u)
    .map((part) => (words.includes(part.toLowerCase()) ? make("mark", {}, part) : part));
}

// Where a shortened text must begin to show a word found by a search.
function beginning(text, words) {
  for (const { 0: word, index } of words.length ? text.matchAll(/[\p{L}\p{N}_]+/gu) : []) {
    if (words.includes(word.toLowerCase())) return index + word.length > LONGEST ? index - BEFORE : 0;
  }
  return 0;
}

function textElement(pieces, element, { whole, words }) {
  const paragraph = make("p", { class: whole ? "text whole" : "text", dir: "auto", tabindex: whole ? "0" : undefined });
  let skipped = whole ? 0 : beginning(pieces.map(([text]) => text).join(" "), words);
  let left = whole ? Infinity : LONGEST;
  if (skipped) paragraph.append("…");
  for (const [text, changed] of pieces) {
    const rest = text.slice(skipped);
    skipped = Math.max(0, skipped - text.length - 1);
    if (!rest) continue;
    const shown = withHits(rest.length > left ? `${rest.slice(0, left)}…` : rest, words);
    paragraph.append(...(changed ? [make(element, {}, shown)] : shown), " ");
    left -= rest.length;
    if (left <= 0) break;
  }
  return paragraph;
}

// Texts side by side, with the words that differ and those found by a search marked. Sides are
// [heading, text].
export function sides(list, { whole = false, search = "" } = {}) {
  const texts = list.map(([, text]) => text);
  const parts = texts.length === 2 ? marked(...texts) : texts.map((text) => [[text, false]]);
  const words = wordsOf(search);
  return make(
    "div",
    { class: list.length > 1 ? "sides" : "" },
    list.map(([heading], i) =>
      make("div", {}, make("h4", {}, heading), textElement(parts[i], i ? "ins" : "del", { whole, words })),
    ),
  );
}

// One text in which the words that an edit removes or inserts are marked.
export function mergedText(before, after) {
  return merged(before, after).flatMap(([text, kind]) => [kind ? make(kind, {}, text) : text, " "]);
}
