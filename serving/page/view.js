// Results as elements. Texts become text nodes only, never HTML.

import { copying, element, label, marked } from "./elements.js";
import { stated } from "./propositions.js";
import { asSentence, pieces } from "./text.js";
import { TYPES } from "./types.js";

function worded(parts, name) {
  return parts.flatMap((part, n) => [n ? " " : "", part.changed ? element(name, {}, part.text) : part.text]);
}

function steps(explanation, title) {
  if (!explanation || !explanation.steps.length) return [];
  const items = explanation.steps.map((s) => element("li", {}, element("code", {}, s.name), ` ${s.detail}`));
  return [element("details", {}, element("summary", {}, title), element("ol", {}, items))];
}

function why(text) {
  return [element("h2", {}, "No result"), element("p", {}, asSentence(text))];
}

function typed(name) {
  return element("p", { className: "note" }, name ? `${name}: ${TYPES[name]}` : "Written by a model without discourse types");
}

function fusion(found, n) {
  const shown = found.explanation;
  return element(
    "article",
    {},
    element("p", { className: "answer" }, shown ? worded(shown.result, "ins") : found.fusion),
    typed(found.discourse_type),
    copying(found.fusion),
    n === 0 && shown
      ? [element("h3", {}, "From these sentences"), element("p", { className: "source" }, worded(shown.source, "del"))]
      : [],
    steps(shown, "Edits, step by step"),
  );
}

/** The probability that the sentences stay as they are; empty for models without it. */
function unchanged(probability) {
  if (probability === null) return [];
  const share = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 }).format(probability);
  return [element("p", { className: "note" }, `The probability that the sentences stay as they are is ${share}.`)];
}

function fused(answer) {
  const [result] = answer.results;
  if (!result.fusions.length) return why(result.why ?? "The model returned no text.");
  const [best, ...others] = result.fusions.map(fusion);
  return [
    element("h2", {}, "Fusion"),
    ...unchanged(result.unchanged_probability),
    best,
    ...(others.length ? [element("h2", { className: "others" }, "Alternatives"), ...others] : []),
  ];
}

function candidate(found) {
  const shown = found.explanation;
  return element(
    "article",
    {},
    element("p", { className: "answer" }, shown ? worded(shown.result, "ins") : found.inputs),
    typed(found.discourse_type),
    found.connective_string ? element("p", {}, label(`connective “${found.connective_string}”`)) : [],
    found.refused ? [] : copying(found.inputs),
    found.refused ? element("p", {}, `Rejected: ${found.why} (${found.refused}).`) : [],
    steps(shown, "Operations of the rule"),
  );
}

function split(answer) {
  const [result] = answer.results;
  const taken = result.examples.filter((found) => !found.refused);
  const refused = result.examples.filter((found) => found.refused);
  const shown = taken.length ? [element("h2", {}, "Split"), ...taken.map(candidate)] : why("No rule splits this text.");
  if (!refused.length) return shown;
  const summary = element("summary", {}, `Rejected by the rules: ${refused.length}`);
  return [...shown, element("details", { open: !taken.length }, summary, ...refused.map(candidate))];
}

function summarized(answer) {
  if (!answer.summary) return why(answer.why ?? "The model returned no text.");
  // there is no explanation for texts that are too long to compare
  const { coverage, density, copied } = answer.explanation ?? { copied: [] };
  // only runs of words count as copied, since single words are common to most articles
  const runs = copied.filter((run) => run.words > 1);
  const inSummary = runs.map((run) => [run.summary_start, run.summary_end]);
  const inSource = runs.map((run) => [run.source_start, run.source_end]);
  const share = answer.explanation
    ? `${Math.round(100 * coverage)}% of its words are in the article; on average, a word is in a copied fragment of ${density.toFixed(1)} words.`
    : "The texts are too long to find copied passages.";
  return [
    element("h2", {}, "Summary"),
    element("p", { className: "answer" }, marked(pieces(answer.summary, inSummary), "mark")),
    element(
      "p",
      {},
      answer.baseline ? label("baseline: the first sentences, no model", "warn") : label(answer.model),
    ),
    answer.read.note ? element("p", {}, answer.read.note) : [],
    copying(answer.summary),
    element("p", { className: "note" }, share),
    element("h3", {}, "In the article"),
    element("p", { className: "source" }, marked(pieces(answer.paragraphs.join("\n"), inSource), "mark")),
  ];
}

const VIEWS = { fuse: fused, split, propositions: stated, summarize: summarized };

/** Returns the elements for a result; `text` is the input. */
export function answered(task, answer, text) {
  return VIEWS[task](answer, text);
}

/** Returns the elements for an error. */
export function failed(message) {
  return [element("h2", {}, "Error"), element("p", {}, message)];
}

/** Returns the elements shown before the first request. */
export function empty(text) {
  return [element("p", { className: "note" }, text)];
}

/** Returns the choices of discourse types, starting with "any". */
export function types() {
  const named = Object.entries(TYPES).map(([name, meaning]) => element("option", { value: name }, `${name}: ${meaning}`));
  return [element("option", { value: "" }, "any"), ...named];
}

/** Returns the language choices by name. */
export function languageChoices(codes) {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return codes.map((code) => element("option", { value: code }, names.of(code)));
}
