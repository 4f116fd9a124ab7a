// A complete row in a dialog: its texts, columns, marks, document, other version, parse and operations.

import { make, mergedText, shownNumber, shownTime, shownValue, sides, textOf } from "./dom.js";
import { explanation, labelOf, named, sentence, textsOf, titleWithHits } from "./list.js";
import { parseOf } from "./parse.js";

const NEAR = 12; // rows shown of the same document
const MOST_LOOKED_AT = 500; // rows or rejects of a document that are searched for the nearest
const NOWHERE = 0xffffffff;

// The dialog's content. ``context`` contains table, state, marks, order, link(changes), mark(row, changes) and step(by).
export async function rowContent(context, row, number) {
  const { table, state } = context;
  const hidden = state.blind;
  const made = make("section", { id: "made-of" });
  return make(
    "div",
    {},
    toolbar(context, row, number, hidden || table.name === "rejects" ? null : made),
    make("h2", { id: "row-title", dir: "auto", tabindex: "-1", autofocus: true }, titleWithHits(context, row, number)),
    explanation(context, row),
    sides(textsOf(table, row), { whole: true, search: state.words }),
    hidden ? null : await statementsOf(context, row),
    made,
    noteOf(context, row),
    hidden ? null : columnsOf(table, row, number),
    hidden || !context.other ? null : await otherVersion(context, row, number),
    hidden ? null : await sameDocument(context, row, number),
  );
}

// The fixed header of a row. ``made``: the element that shows its parse, or null.
function toolbar(context, row, number, made) {
  const { table, marks, mark, order, step } = context;
  const place = order.placeOf(number);
  const entry = () => marks.of(table.name, row.id);
  const button = (text, id, onclick, more = {}) => make("button", { type: "button", id, onclick, ...more }, text);
  const marking = (value, text) =>
    button(text, `mark-${value}`, () => mark(row, { mark: entry()?.mark === value ? "" : value }), {
      "data-mark": value,
      "aria-pressed": String(entry()?.mark === value),
    });
  return make(
    "div",
    { class: "tools", id: "row-tools" },
    button("Previous", "row-previous", () => step(-1), { disabled: place <= 0, "aria-keyshortcuts": "k" }),
    button("Next", "row-next", () => step(1), {
      disabled: place < 0 || place + 1 >= order.size,
      "aria-keyshortcuts": "j",
    }),
    place < 0 ? null : make("span", { class: "tag" }, `${shownNumber(place + 1)} of ${shownNumber(order.size)}`),
    marking("good", "Good"),
    marking("bad", "Bad"),
    made && parseButton(context, row, made),
    button("Close", "row-close"),
  );
}

function parseButton(context, row, made) {
  if (!document.documentElement.hasAttribute("data-served")) {
    made.append(
      make(
        "p",
        { class: "note" },
        "An exported folder does not show parses, coreference and operations; use gistmill explore.",
      ),
    );
    return null;
  }
  const about = "Show the parse, coreference and operations";
  const button = make("button", { type: "button", id: "parse", title: about }, "Parse it");
  button.addEventListener("click", async () => {
    button.disabled = true;
    made.replaceChildren(make("p", { class: "note", role: "status" }, "Parsing; the first time takes a moment."));
    made.replaceChildren(...(await parseOf(context, row)));
    made.querySelector("h3")?.focus();
  });
  return button;
}

function noteOf({ table, marks, mark }, row) {
  const onchange = (event) => mark(row, { note: event.target.value });
  const note = make("textarea", { id: "note", rows: "2", onchange });
  note.value = marks.of(table.name, row.id)?.note ?? "";
  return make("div", {}, make("label", { for: "note" }, "Note"), note);
}

// Shows the mark of the open row.
export function showPressed(entry) {
  for (const button of document.querySelectorAll("#row [data-mark]")) {
    button.setAttribute("aria-pressed", String(entry?.mark === button.dataset.mark));
  }
}

function columnsOf(table, row, number) {
  const split = table.splitOf(number);
  const about = new Map(table.columns.map((column) => [column.name, column.about]));
  const names = table.names.filter((name) => !table.texts.includes(name));
  const lines = names.flatMap((name) => [
    make("dt", { title: about.get(name) }, labelOf(name)),
    make("dd", { dir: "auto" }, valueOf(table, name, row)),
  ]);
  return make(
    "details",
    { open: true },
    make("summary", {}, "Columns"),
    make("dl", { class: "columns-of-row" }, split ? [make("dt", {}, "split"), make("dd", {}, split)] : null, lines),
  );
}

function valueOf(table, name, row) {
  if (name === "edits" && Array.isArray(row.edits)) return editsOf(row);
  const text = Array.isArray(row[name]) ? shownValue(row[name]) : named(table, name, shownValue(row[name]));
  if (name === "url" && /^https?:\/\//.test(text))
    return make("a", { href: text, rel: "noreferrer noopener", target: "_blank" }, text);
  return text;
}

// The words that a row's edits remove and insert, in its tokens if it has any.
function editsOf(row) {
  if (!row.edits.length) return "none";
  const joined = (name) => `${row[`${name}_first_sentence`]} ${row[`${name}_second_sentence`]}`.trim();
  return "incoherent_first_sentence" in row
    ? mergedText(joined("incoherent"), joined("coherent"))
    : mergedText(textOf(row.inputs), textOf(row.targets));
}

async function otherVersion(context, row, number) {
  const { table, other } = context;
  const place = (await table.counterparts())[number];
  const heading = make("h3", {}, `In the version from ${shownTime(other.meta.made)}`);
  if (place === NOWHERE) return make("section", {}, heading, make("p", {}, "This row does not exist there."));
  const theirs = await other.table.row(place);
  const [here, there] = [table.splitOf(number), other.table.splitOf(place)];
  const differing = table.names.filter((name) => name in theirs && shownValue(row[name]) !== shownValue(theirs[name]));
  const parts = differing.map((name) =>
    make(
      "div",
      {},
      make("h4", {}, labelOf(name)),
      sides([
        ["there", textOf(theirs[name])],
        ["here", textOf(row[name])],
      ]),
    ),
  );
  return make(
    "section",
    {},
    heading,
    here === there ? null : make("p", {}, `There, the row is in ${there}; here, it is in ${here}.`),
    parts.length ? parts : make("p", {}, "The row is the same there."),
  );
}

// All statements from a row's sentence; empty for datasets without statements.
async function statementsOf({ tables, link }, row) {
  const table = tables.find(({ names }) => names.includes("proposition"));
  if (!table || row.sentence_index === undefined) return null;
  const prefix = `${"proposition" in row ? row.id.replace(/-\d+$/, "") : row.id}-`;
  const begins = (id) => id.startsWith(prefix);
  const found = [];
  for (let number = await table.seek(prefix, begins); number >= 0 && number < table.rows; number++) {
    const other = await table.row(number);
    if (!begins(other.id)) break;
    if (other.document_id === row.document_id && other.sentence_index === row.sentence_index) found.push([number, other]);
  }
  if (!found.length) return null;
  const lines = found.map(([number, other]) => statement(table, other, row, link({ table: table.name, row: `@${number}` })));
  return make(
    "section",
    { id: "statements" },
    make("h3", {}, "All statements from the sentence"),
    make("ol", {}, lines),
  );
}

function statement(table, other, row, href) {
  const all = (name) => other[name].map((item) => named(table, name, item));
  const open = other.resolved ? "stands alone" : `does not stand alone: ${all("unresolved").join("; ")}`;
  const about = [`quality ${other.quality}`, other.grain, ...all("operations"), open].join(" · ");
  const text = other.id === row.id ? make("strong", {}, other.proposition) : make("a", { href }, other.proposition);
  return make("li", { dir: "auto" }, text, make("p", { class: "note" }, about));
}

async function sameDocument(context, row, number) {
  const lists = await Promise.all(context.tables.map((table) => nearRows(context, table, row, number)));
  return make("section", {}, make("h3", {}, "From the same document"), lists);
}

async function nearRows({ link, table: current }, table, row, number) {
  const document = row[current.document];
  const numbers = await table.rowsOf(`document:${document}`);
  if (!numbers.length) return make("p", {}, `${table.name}: none`);
  const near = await nearest(table, numbers, table === current ? number : -1, row.sentence_index ?? row.index);
  const all = link({ table: table.name, document, row: "", values: {}, ranges: {}, words: "", titles: "", page: 1 });
  const lines = near.map(([place, other]) =>
    make("li", { dir: "auto" }, nearLine(other, link({ table: table.name, row: `@${place}` }))),
  );
  return make(
    "details",
    { open: table === current || table.name === "rejects" },
    make("summary", {}, `${table.name}: ${shownNumber(numbers.length)}`),
    make("ul", { class: "near" }, lines),
    make("p", {}, make("a", { href: all }, `Show all in ${table.name}`)),
  );
}

// The document's rows near a row: adjacent ones in its own table, otherwise by position in the document.
async function nearest(table, numbers, number, sentence) {
  const read = async (places) => Promise.all(places.map(async (place) => [place, await table.row(place)]));
  if (number >= 0 || sentence === undefined) {
    const at = Math.max(0, Math.min(numbers.indexOf(number) - NEAR / 2, numbers.length - NEAR));
    return read([...numbers.subarray(at, at + NEAR)]);
  }
  const found = await read([...numbers.subarray(0, MOST_LOOKED_AT)]);
  const distance = ([, row]) => Math.abs((row.sentence_index ?? row.index) - sentence);
  return found
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, NEAR)
    .sort(([a], [b]) => a - b);
}

function nearLine(near, href) {
  if (!near.reason) return make("a", { href }, near.id);
  return [
    make("a", { href }, `${near.reason}: ${near.detail || near.title}`.slice(0, 300)),
    make("p", { class: "note" }, sentence(near.text)),
  ];
}
