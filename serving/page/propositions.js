// The propositions of a text as elements of the page: grouped by sentence, with the text that each is made of.

import { copying, element, label, marked } from "./elements.js";
import { pieces } from "./text.js";

// What still needs the text around it, by kind.
const KINDS = {
  PRONOUN: "a pronoun, and it is not sure who or what it means",
  SPEAKER: "whoever speaks or reads, without a name",
  DEMONSTRATIVE: "it points at something that the text says elsewhere",
  DEFINITE: "the text says elsewhere which one is meant",
  OTHER: "one of several that the text names elsewhere",
  TIME: "a time that counts from another one",
  SURNAME: "a surname that several persons of the text have",
  CONNECTIVE: "it leads on from what the text says before",
  PLACE: "a place that the text names elsewhere",
  NAMELESS: "it does not name what the text is about",
};

const percent = (share) => new Intl.NumberFormat("en", { style: "percent" }).format(share);
const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** The mentions that gave way, with what stands for them and where the statement has it, in characters. */
function replacements({ text, operations }) {
  const characters = Array.from(text);
  const found = [];
  for (const operation of operations) {
    const [, both, confidence] = /^REPLACE (.+) \(([\d.]+)\)$/s.exec(operation) ?? [];
    if (!both) continue;
    const words = both.split(" by ");
    // the words may have "by" in them; what stands for a mention is in the statement
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

/** Where characters have some words, from a place on; a statement may begin with them, with a capital. */
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

/** A function that shows a stretch of the text, cut where pieces of the statements begin and end. */
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

/** The whole text: each sentence with its statements or the reason that it has none, and what lies between them. */
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
  const summary = `${counted(replaced.length, "mention is", "mentions are")} replaced`;
  return [
    element("h2", { className: "others" }, "Resolved text"),
    element("p", { className: "answer" }, marked(pieces(text, places), "ins")),
    copying(text),
    items.length
      ? element("details", {}, element("summary", {}, summary), element("ul", {}, items))
      : element("p", { className: "note" }, "Nothing was replaced: no mention was sure enough."),
    ...(unresolved.length ? [element("h3", {}, "Still needs the text around it"), listed(unresolved.map(unresolvedItem))] : []),
  ];
}

/** Returns the elements of an answer about a text. */
export function stated({ propositions, rejected, resolved }, text) {
  const alone = propositions.filter((found) => found.resolved).length;
  const said = propositions.length
    ? `${counted(propositions.length, "statement", "statements")}, of which ${alone} stand${alone === 1 ? "s" : ""} alone. ` +
      "Point at one to see what it is made of."
    : "No sentence of this text states anything.";
  return [
    element("h2", {}, "Propositions"),
    element("p", { className: "note" }, said),
    ...grouped(text, propositions, rejected),
    ...resolvedText(resolved),
  ];
}

/** Marks what the statement around an element is made of; without one, that of the statement that has the focus. */
export function point(target) {
  const chosen = target.closest?.(".statement") ?? document.activeElement?.closest(".statement");
  const held = chosen ? JSON.parse(chosen.dataset.pieces) : [];
  for (const piece of document.querySelectorAll(".piece")) {
    const start = Number(piece.dataset.start);
    piece.classList.toggle("held", held.some(([from, to]) => from <= start && start < to));
  }
}
