// The rows on a page, and the filters with their counts.

import { make, shownNumber, sides, textOf, withHits } from "./dom.js";
import { wordsOf } from "./store.js";

const SHOWN_VALUES = 8; // values shown per column; the others are collapsed
const TAGS = 4; // values shown per row in the list

export function titleOf(row, number, blind) {
  return row.title || (blind ? `Row ${shownNumber(number + 1)}` : row.id);
}

export function textsOf(table, row) {
  return table.texts.map((name) => [name, textOf(row[name])]);
}

export function article(context, row, number, href, place) {
  const { table, state, marks } = context;
  const tags = state.blind
    ? []
    : table.values
        .filter(({ name }) => typeof row[name] === "string" && row[name])
        .map(({ name }) => (table.name === "rejects" ? row[name] : named(table, name, row[name])));
  const mark = marks.of(table.name, row.id);
  return make(
    "article",
    { tabindex: "-1", "data-place": place, "aria-labelledby": `row-${place}` },
    make(
      "header",
      {},
      make("h3", { id: `row-${place}`, dir: "auto" }, make("a", { href }, titleWithHits(context, row, number))),
      tags.slice(0, TAGS).map((value) => make("span", { class: "tag" }, value)),
      make("span", { class: "mark" }, shownMark(mark)),
    ),
    explanation(context, row),
    sides(textsOf(table, row), { search: state.words }),
  );
}

export function titleWithHits({ state }, row, number) {
  return withHits(titleOf(row, number, state.blind), wordsOf(state.titles));
}

// The meaning of a rejection reason; empty for rows and in blind mode.
export function explanation({ table, state }, row) {
  return table.name === "rejects" && !state.blind ? make("p", { class: "meaning" }, sentence(row.text)) : null;
}

// Turns a meaning into a sentence.
export function sentence(meaning) {
  return meaning && `${meaning[0].toUpperCase()}${meaning.slice(1)}.`;
}

export function shownMark(entry) {
  return [entry?.mark && `marked ${entry.mark}`, entry?.note && `note: ${entry.note.slice(0, 80)}`]
    .filter(Boolean)
    .join(", ");
}

// The filters of a table. ``change(part, name, value)`` is called when the user changes one.
export function filterForm(table, state, change) {
  const columns = table.values.filter(({ values }) => values.length > 1);
  document.getElementById("values").replaceChildren(...columns.map((column) => valuesOf(table, column, state, change)));
  document.getElementById("numbers").replaceChildren(...table.numbers.map((column) => rangeOf(column, state, change)));
}

export function labelOf(name) {
  return name.replaceAll("_", " ");
}

// A column's value, with its code in words.
export function named({ meanings }, name, value) {
  const found = Object.entries(meanings[name] ?? {}).find(([code]) => `${value} `.startsWith(`${code} `));
  return found ? `${value} (${found[1]})` : value;
}

function valuesOf(table, column, state, change) {
  const chosen = state.values[column.name] ?? [];
  const lines = column.values.map(([value], i) =>
    make(
      "label",
      { class: "value" },
      make("input", {
        type: "checkbox",
        checked: chosen.includes(value),
        onchange: (event) => change("values", column.name, [value, event.target.checked]),
      }),
      make("span", { dir: "auto" }, named(table, column.name, value) || "(none)"),
      " ",
      make("span", { class: "count", "data-column": column.name, "data-value": i }),
    ),
  );
  const hidden = lines.slice(SHOWN_VALUES);
  const open = column.values.slice(SHOWN_VALUES).some(([value]) => chosen.includes(value));
  return make(
    "fieldset",
    {},
    make("legend", {}, labelOf(column.name)),
    lines.slice(0, SHOWN_VALUES),
    hidden.length ? make("details", { open }, make("summary", {}, `${hidden.length} more`), hidden) : null,
  );
}

function rangeOf(column, state, change) {
  const [least, most] = state.ranges[column.name] ?? ["", ""];
  const input = (which, value, bound, label) =>
    make("input", {
      type: "number",
      step: "any",
      value,
      placeholder: String(Number(bound.toPrecision(6))),
      "aria-label": `${labelOf(column.name)}: ${label}`,
      oninput: (event) => change("ranges", column.name, [which, event.target.value]),
    });
  return make(
    "fieldset",
    {},
    make("legend", {}, labelOf(column.name)),
    make(
      "div",
      { class: "range" },
      input(0, least, column.least, "at least"),
      "to",
      input(1, most, column.most, "at most"),
    ),
  );
}

export function showCounts(counts) {
  for (const span of document.querySelectorAll("#values .count")) {
    span.textContent = shownNumber(counts.get(span.dataset.column)[span.dataset.value]);
  }
}
