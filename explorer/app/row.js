// One row as a whole, in a dialog: its texts, columns, marks, document, other version, parse and operations.

import { make, shownNumber, shownTime, shownValue, sides, textOf } from "./dom.js";
import { labelOf, textsOf, titleOf } from "./list.js";

const NEAR = 12; // rows of the same document that are shown
const MOST_LOOKED_AT = 500; // rejects of a document among which the nearest are found
const NOWHERE = 0xffffffff;

// What the dialog holds. ``context`` has table, state, marks, link(changes) and mark(row, changes).
export async function rowContent(context, row, number) {
  const { table, state } = context;
  const hidden = state.blind;
  return make(
    "div",
    {},
    make("h2", { id: "row-title", dir: "auto", tabindex: "-1", autofocus: true }, titleOf(row, number, hidden)),
    marking(context, row),
    sides(textsOf(table, row), { whole: true }),
    hidden ? null : columnsOf(table, row, number),
    hidden || !context.other ? null : await otherVersion(context, row, number),
    hidden ? null : await sameDocument(context, row, number),
    hidden || table.name === "rejects" ? null : howItWasMade(context, row),
  );
}

function marking({ table, marks, mark }, row) {
  const entry = () => marks.of(table.name, row.id);
  const button = (value, text) =>
    make(
      "button",
      {
        type: "button",
        "data-mark": value,
        "aria-pressed": String(entry()?.mark === value),
        onclick: () => mark(row, { mark: entry()?.mark === value ? "" : value }),
      },
      text,
    );
  const onchange = (event) => mark(row, { note: event.target.value });
  const note = make("textarea", { id: "note", rows: "2", onchange });
  note.value = entry()?.note ?? "";
  const close = make("button", { type: "button", id: "row-close" }, "Close");
  return make(
    "div",
    {},
    make("div", { class: "tools" }, button("good", "Good"), button("bad", "Bad"), close),
    make("label", { for: "note" }, "Note"),
    note,
  );
}

// Shows in the open row which mark it has.
export function showPressed(entry) {
  for (const button of document.querySelectorAll("#row [data-mark]")) {
    button.setAttribute("aria-pressed", String(entry?.mark === button.dataset.mark));
  }
}

function columnsOf(table, row, number) {
  const split = table.splits.findLast(([, first]) => first <= number)[0];
  const about = new Map(table.columns.map((column) => [column.name, column.about]));
  const names = table.names.filter((name) => !table.texts.includes(name));
  const lines = names.flatMap((name) => [
    make("dt", { title: about.get(name) }, labelOf(name)),
    make("dd", { dir: "auto" }, valueOf(name, row[name])),
  ]);
  return make(
    "details",
    { open: true },
    make("summary", {}, "Columns"),
    make("dl", { class: "columns-of-row" }, split ? [make("dt", {}, "split"), make("dd", {}, split)] : null, lines),
  );
}

function valueOf(name, value) {
  const text = shownValue(value);
  if (name === "url" && /^https?:\/\//.test(text))
    return make("a", { href: text, rel: "noreferrer noopener", target: "_blank" }, text);
  return text;
}

async function otherVersion(context, row, number) {
  const { table, other } = context;
  if (!other.table) return null;
  const place = (await table.counterparts())[number];
  const heading = make("h3", {}, `In the version of ${shownTime(other.meta.made)}`);
  if (place === NOWHERE) return make("section", {}, heading, make("p", {}, "It does not have this row."));
  const theirs = await other.table.row(place);
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
  return make("section", {}, heading, parts.length ? parts : make("p", {}, "It has the same row."));
}

async function sameDocument(context, row, number) {
  const lists = await Promise.all(context.tables.map((table) => nearRows(context, table, row, number)));
  return make("section", {}, make("h3", {}, "The same document"), lists);
}

async function nearRows({ link, table: current }, table, row, number) {
  const document = row[current.document];
  const numbers = await table.rowsOf(`document:${document}`);
  if (!numbers.length) return make("p", {}, `${table.name}: nothing`);
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
    make("p", {}, make("a", { href: all }, `Show all of ${table.name}`)),
  );
}

// The rows of a document around a row: beside it in its own table, else by their places in the document.
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
  const kind = near.reason ? `${near.reason}: ` : "";
  return make("a", { href }, `${kind}${near.reason ? near.detail || near.text : near.id}`.slice(0, 300));
}

function howItWasMade({ versionName }, row) {
  const place = make("div", {});
  const section = make("section", {}, make("h3", {}, "How it was made"), place);
  if (!document.documentElement.hasAttribute("data-served")) {
    place.append(
      make(
        "p",
        { class: "note" },
        "Its parse, coreference and operations are shown by a page that is served, not in an exported folder.",
      ),
    );
    return section;
  }
  const button = make("button", { type: "button", id: "parse" }, "Parse it, and show coreference and operations");
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Parsing: the first time takes a moment";
    const asked = new URLSearchParams({ version: versionName, id: row.id });
    const response = await fetch(`api/row?${asked}`).catch(() => null);
    const found = response?.ok ? await response.json() : { fault: "The server does not answer." };
    place.replaceChildren(
      ...(found.fault ? [make("p", { class: "remarks", role: "alert" }, found.fault)] : parsed(found, asked)),
    );
    place.querySelector("h4")?.focus();
  });
  place.append(button);
  return section;
}

function parsed(found, asked) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "1" : "";
  return [
    make("p", { class: "note" }, found.origin),
    make("h4", { tabindex: "-1" }, "Coreference"),
    ...found.sentences.map((sentence) => make("p", { class: "text", dir: "auto" }, mentions(sentence))),
    found.sentences.some(({ pieces }) => pieces.some(({ cluster }) => cluster !== null))
      ? null
      : make("p", { class: "note" }, "No mention of these sentences refers to another."),
    ...found.links.map((line) => make("p", { class: "note", dir: "auto" }, line)),
    make("h4", {}, "Parse"),
    ...found.sentences.map((sentence, i) =>
      make(
        "div",
        { class: "parse", tabindex: "0", role: "region", "aria-label": `Parse of sentence ${i + 1}` },
        make("img", { src: `api/parse.svg?${asked}&sentence=${i}&dark=${dark}`, alt: sentence.heads, loading: "lazy" }),
      ),
    ),
    make("h4", {}, "Operations"),
    operations(
      found.operations,
      "The rules did nothing that could be shown; gistmill explore --input shows what they did in the page.",
    ),
    found.edits.length ? make("h4", {}, "Edits that fuse it again") : null,
    found.edits.length ? operations(found.edits) : null,
  ].filter(Boolean);
}

function mentions({ pieces }) {
  return pieces.flatMap(({ text, cluster }) =>
    cluster === null
      ? [text]
      : [
          make("span", { class: "mention" }, text.trimEnd(), make("sub", {}, String(cluster + 1))),
          text.endsWith(" ") ? " " : "",
        ],
  );
}

function operations(list, otherwise) {
  if (!list.length) return make("p", { class: "note" }, otherwise);
  return make(
    "ol",
    { class: "steps" },
    list.map(({ name, detail, after }) =>
      make(
        "li",
        {},
        make("p", {}, make("strong", {}, name), ` ${detail}`),
        make("p", { class: "note", dir: "auto" }, after.join(" | ")),
      ),
    ),
  );
}
