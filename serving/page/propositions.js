// A text's propositions as elements, grouped by sentence, with the source text of each.

import { copying, element, label, marked } from "./elements.js";
import { pieces } from "./text.js";

// Reasons why a statement depends on the surrounding text, by kind.
const KINDS = {
  PRONOUN: "a pronoun, and it is not certain who or what it refers to",
  SPEAKER: "the speaker or reader, without a name",
  DEMONSTRATIVE: "refers to something elsewhere in the text",
  DEFINITE: "identified elsewhere in the text",
  OTHER: "one of several mentioned elsewhere in the text",
  TIME: "a time relative to another one",
  SURNAME: "a surname of several people in the text",
  CONNECTIVE: "links to the preceding text",
  PLACE: "a place mentioned elsewhere in the text",
  NAMELESS: "does not name the subject of the text",
};

const percent = (share) => new Intl.NumberFormat("en", { style: "percent" }).format(share);
const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** The replaced mentions, with their replacements and the positions of these in the statement, in characters. */
function replacements({ text, operations }) {
  const characters = Array.from(text);
  const found = [];
  for (const operation of operations) {
    const [, both, confidence] = /^REPLACE (.+) \(([\d.]+)\)$/s.exec(operation) ?? [];
    if (!both) continue;
    const words = both.split(" by ");
    // both may contain "by"; the replacement is the part found in the statement
    for (let n = 1; n < words.length; n += 1) {
      const by = words.slice(n).join(" by ");
      const start = placeOf(characters, by, found.at(-1)?.end ?? 0);
      if (start < 0) continue;
      const end = start + Array.from(by).length;
      found.push({ mention: words.slice(0, n).join(" by "), by, confidence: Number(confidence), start, end });
      break;
    }
  }
  return found;
}

/** The position of words after a given one; at the beginning of a statement, they may be capitalized. */
function placeOf(characters, words, from) {
  const rest = characters.slice(from).join("");
  const capital = `${words[0].toUpperCase()}${words.slice(1)}`;
  const at = from === 0 && rest.startsWith(capital) ? 0 : rest.indexOf(words);
  return at < 0 ? at : from + Array.from(rest.slice(0, at)).length;
}

function replacedItem({ mention, by, confidence }) {
  return element("li", {}, `“${mention}” is now “${by}” (${percent(confidence)} sure)`);
}

function unresolvedItem({ text, kind, why }) {
  const said = KINDS[kind] ?? why;
  return element("li", {}, text ? `“${text}”: ${said}` : said);
}

function listed(items) {
  return items.length ? element("ul", {}, items) : [];
}

function operation(said) {
  const [name, ...detail] = said.split(" ");
  return element("li", {}, element("code", {}, name), ` ${detail.join(" ")}`);
}

function statement(found) {
  const replaced = replacements(found);
  const places = replaced.map(({ start, end }) => [start, end]);
  const made = element(
    "article",
    { className: "statement", tabIndex: 0 },
    element("p", { className: "answer" }, marked(pieces(found.text, places), "ins")),
    element(
      "p",
      { className: "about" },
      found.resolved ? label("stands alone") : label("does not stand alone", "warn"),
      found.quality < 1 ? label(`${percent(found.quality)} sure`) : [],
      copying(found.text),
    ),
    listed([...found.unresolved.map(unresolvedItem), ...replaced.map(replacedItem)]),
    found.operations.length
      ? element("details", {}, element("summary", {}, "What was done"), element("ol", {}, found.operations.map(operation)))
      : [],
  );
  made.dataset.pieces = JSON.stringify(found.pieces);
  return made;
}

/** A function that shows part of the text, divided where parts of statements begin and end. */
function cutter(text, propositions) {
  const characters = Array.from(text);
  const borders = [...new Set(propositions.flatMap((found) => found.pieces.flat()))].sort((a, b) => a - b);
  return (start, end) => {
    const cuts = [start, ...borders.filter((border) => start < border && border < end), end];
    return cuts.slice(1).map((cut, n) => {
      const made = element("span", { className: "piece" }, characters.slice(cuts[n], cut).join(""));
      made.dataset.start = cuts[n];
      return made;
    });
  };
}

function rejectedSentence({ why }) {
  return element("p", { className: "note" }, `No statement: ${why}.`);
}

/** The whole text: each sentence with its statements or the reason why there are none, and the text in between. */
function grouped(text, propositions, rejected) {
  const shown = cutter(text, propositions);
  const characters = Array.from(text);
  const sentences = [...propositions, ...rejected].sort((a, b) => a.start - b.start);
  const groups = Map.groupBy(sentences, (found) => found.start);
  const made = [];
  let at = 0;
  const between = (end) => {
    while (at < end && !characters[at].trim()) at += 1;
    while (at < end && !characters[end - 1].trim()) end -= 1;
    if (at < end) made.push(element("p", { className: "source note between" }, shown(at, end)));
  };
  for (const [start, group] of groups) {
    between(start);
    at = group[0].end;
    made.push(
      element(
        "div",
        { className: "sentence" },
        element("p", { className: "source note" }, shown(start, at)),
        group.map((found) => (found.reason ? rejectedSentence(found) : statement(found))),
      ),
    );
  }
  between(characters.length);
  return made;
}

function resolvedText({ text, replaced, unresolved }) {
  const places = replaced.map((found) => [found.new_start, found.new_end]);
  const items = replaced.map(({ text: mention, by, confidence }) => replacedItem({ mention, by, confidence }));
  const summary = `${counted(replaced.length, "mention", "mentions")} replaced`;
  return [
    element("h2", { className: "others" }, "Resolved text"),
    element("p", { className: "answer" }, marked(pieces(text, places), "ins")),
    copying(text),
    items.length
      ? element("details", {}, element("summary", {}, summary), element("ul", {}, items))
      : element("p", { className: "note" }, "Nothing was replaced, because no link was certain enough."),
    ...(unresolved.length ? [element("h3", {}, "Depends on the surrounding text"), listed(unresolved.map(unresolvedItem))] : []),
  ];
}

/** Returns the elements for the result of a text. */
export function stated({ propositions, rejected, resolved }, text) {
  const alone = propositions.filter((found) => found.resolved).length;
  const said = propositions.length
    ? `${counted(propositions.length, "statement", "statements")}, of which ${alone} stand${alone === 1 ? "s" : ""} alone. ` +
      "Point at a statement to see its source."
    : "The text contains no statements.";
  return [
    element("h2", {}, "Propositions"),
    element("p", { className: "note" }, said),
    ...grouped(text, propositions, rejected),
    ...resolvedText(resolved),
  ];
}

/** Marks the source of the statement around an element or, without one, of the focused statement. */
export function point(target) {
  const chosen = target.closest?.(".statement") ?? document.activeElement?.closest(".statement");
  const held = chosen ? JSON.parse(chosen.dataset.pieces) : [];
  for (const piece of document.querySelectorAll(".piece")) {
    const start = Number(piece.dataset.start);
    piece.classList.toggle("held", held.some(([from, to]) => from <= start && start < to));
  }
}
