// The page: its state is the address, and every change of address redraws it.

import { make, shownNumber } from "./dom.js";
import { by, guarded, leave, listenToHelp, showChoices, showTexts, soon } from "./frame.js";
import { article, filterForm, shownMark, showCounts } from "./list.js";
import { nothingFound } from "./loosen.js";
import { Marks } from "./marks.js";
import { rowContent, showPressed } from "./row.js";
import { everything, Order, select } from "./select.js";
import { emptyState, filtersOf, readState, writeState } from "./state.js";
import { json, Table } from "./store.js";

const ROWS = 20; // per page
const OTHER = "other version";
const dialog = by("row");

let versions, state, context, selection;
let turn = 0; // number of the newest render; older ones stop
let form = ""; // the state shown by the filter form
let rows = []; // on the page: [number, row, article]
let current = -1;

function tablesOf(version) {
  versions[version].opened ??= versions[version].tables.map((meta) => {
    const table = new Table(version, meta);
    const states = versions[version].against?.[meta.name];
    if (states) table.values = [...table.values, { name: OTHER, file: `${table.against}/state.bin`, values: states }];
    return table;
  });
  return versions[version].opened;
}

function link(changes) {
  return writeState({ ...state, ...changes });
}

function go(changes, { push = false } = {}) {
  history[push ? "pushState" : "replaceState"](null, "", link(changes));
  return show();
}

// Draws the state in the address.
async function show() {
  const mine = ++turn;
  state = readState(location.hash);
  const version = Object.keys(versions).includes(state.version) ? state.version : "0";
  const tables = tablesOf(version);
  const table = tables.find(({ name }) => name === state.table) ?? tables[0];
  versions[version].marks ??= new Marks(versions[version].key);
  context = {
    table,
    tables,
    state,
    marks: versions[version].marks,
    link,
    mark,
    step,
    versionName: version,
    other: otherOf(version, table),
  };
  const filters = JSON.stringify([nameOfForm(), state.words, state.titles, state.document]);
  if (filters !== selection?.filters) {
    const found = filtersOf(state) ? await select(table, state) : everything(table);
    if (mine !== turn) return;
    selection = { filters, ...found };
  }
  context.order = new Order(selection.rows, table.rows, state.shuffle);
  if (form !== nameOfForm()) {
    filterForm(table, state, (...what) => guarded(change(...what)));
    showChoices(context, versions);
    form = nameOfForm();
  }
  showTexts(context, versions[version]);
  showCounts(selection.counts);
  await showRows(mine);
  if (mine === turn) await showDialog(mine);
}

function otherOf(version, table) {
  if (versions.length < 2) return null;
  const name = version === "0" ? "1" : "0";
  if (!versions[version].against[table.name]) return null;
  return { meta: versions[name], table: tablesOf(name).find((other) => other.name === table.name) };
}

function nameOfForm() {
  return JSON.stringify([context.versionName, context.table.name, state.values, state.ranges]);
}

async function showRows(mine) {
  const { table, order } = context;
  const count = order.size;
  const pages = Math.max(1, Math.ceil(count / ROWS));
  const page = Math.min(state.page, pages);
  const first = (page - 1) * ROWS;
  const numbers = Array.from({ length: Math.min(ROWS, count - first) }, (_, i) => order.at(first + i));
  const found = await Promise.all(numbers.map((number) => table.row(number)));
  const instead = count ? null : await nothingFound(context);
  if (mine !== turn) return;
  rows = found.map((row, i) => [
    numbers[i],
    row,
    article(context, row, numbers[i], link({ row: nameOf(row, numbers[i]) }), i),
  ]);
  by("rows").replaceChildren(...(instead ? [instead] : rows.map(([, , element]) => element)));
  by("total").textContent =
    `${shownNumber(count)} ${table.name === "rejects" ? "reject" : "row"}${count === 1 ? "" : "s"}`;
  by("page").textContent = `Page ${shownNumber(page)} of ${shownNumber(pages)}`;
  by("previous").disabled = page <= 1;
  by("next").disabled = page >= pages;
  current = -1;
  document.body.dataset.shown = String(mine);
}

// An id reveals the type, so blind mode shows the number instead.
function nameOf(row, number) {
  return state.blind || context.table.name === "rejects" ? `@${number}` : row.id;
}

async function showDialog(mine) {
  if (!state.row) {
    if (dialog.open) dialog.close();
    return;
  }
  const { table } = context;
  const number = state.row.startsWith("@") ? Number(state.row.slice(1)) : await table.find(state.row);
  const found = number >= 0 && number < table.rows ? await table.row(number) : null;
  const content = found
    ? await rowContent(context, found, number)
    : make(
        "div",
        {},
        make("h2", { id: "row-title", tabindex: "-1", autofocus: true }, "This row does not exist"),
        make("p", {}, `${table.name} has no row ${state.row}.`),
        make("button", { type: "button", id: "row-close" }, "Close"),
      );
  if (mine !== turn) return;
  const pressed = document.activeElement?.id;
  by("row-content").replaceChildren(content);
  by("row-close").addEventListener("click", () => dialog.close());
  if (!dialog.open) dialog.showModal();
  else if (pressed) by(pressed)?.focus();
  dialog.scrollTop = 0;
  Object.assign(context, { row: found, number });
  current = rows.findIndex(([other]) => other === number);
}

function mark(row, changes) {
  const { table, marks } = context;
  const meta = versions[context.versionName];
  const about = {
    dataset: meta.key,
    recipe: meta.recipe,
    config: table.name,
    id: row.id,
    type: row[meta.type] ?? "",
    connective: row.connective_string ?? "",
    blind: state.blind,
  };
  marks.change(about, changes);
  by("marked").textContent = shownNumber(marks.size);
  const entry = marks.of(table.name, row.id);
  const shown = rows.find(([, other]) => other.id === row.id);
  if (shown) shown[2].querySelector(".mark").textContent = shownMark(entry);
  showPressed(entry);
}

function change(part, name, [which, value]) {
  const plain = { page: 1, row: "" };
  if (part === "values") {
    const chosen = (state.values[name] ?? []).filter((other) => other !== which);
    return changed({ ...plain, values: { __proto__: null, ...state.values, [name]: value ? [...chosen, which] : chosen } });
  }
  const bounds = [...(state.ranges[name] ?? ["", ""])];
  bounds[which] = value;
  state.ranges = { __proto__: null, ...state.ranges, [name]: bounds };
  return soon(() => changed({ ...plain, ranges: state.ranges }));
}

// Goes to the state of the filters after the user changed them. They need not be redrawn.
function changed(changes) {
  Object.assign(state, readState(link(changes)));
  form = nameOfForm();
  return go({});
}

function turnPage(step) {
  if (step < 0 ? by("previous").disabled : by("next").disabled) return Promise.resolve();
  scrollTo(0, 0);
  return go({ page: state.page + step, row: "" });
}

async function move(offset) {
  if (dialog.open) return step(offset);
  if (current + offset >= rows.length && !by("next").disabled) {
    await turnPage(1);
    return choose(0);
  }
  if (current === 0 && offset < 0 && !by("previous").disabled) {
    await turnPage(-1);
    return choose(rows.length - 1);
  }
  return choose(Math.min(rows.length - 1, Math.max(0, current + offset)));
}

// Opens the row this many places after the open one, on any page.
async function step(offset) {
  const { table, order, number } = context;
  const place = order.placeOf(number);
  if (place < 0 || place + offset < 0 || place + offset >= order.size) return;
  const next = order.at(place + offset);
  const page = Math.floor((place + offset) / ROWS) + 1;
  await guarded(go({ page, row: nameOf(await table.row(next), next) }));
  choose(current);
}

function choose(place) {
  for (const [, , element] of rows) element.classList.remove("current");
  current = rows.length ? place : -1;
  const element = rows[current]?.[2];
  element?.classList.add("current");
  if (!dialog.open) element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest" });
}

const ACTIONS = {
  j: () => move(1),
  k: () => move(-1),
  o: () => (dialog.open ? dialog.close() : withRow((row, number) => go({ row: nameOf(row, number) }, { push: true }))),
  g: () => withRow((row) => mark(row, { mark: "good" })),
  b: () => withRow((row) => mark(row, { mark: "bad" })),
  u: () => withRow((row) => mark(row, { mark: "" })),
  n: () =>
    withRow(async (row, number) => {
      if (!dialog.open) await go({ row: nameOf(row, number) }, { push: true });
      by("note").focus();
    }),
  "[": () => turnPage(-1),
  "]": () => turnPage(1),
  "/": () => by("words").focus(),
  e: () => by("export").click(),
  "?": () => by("help").showModal(),
};

function withRow(action) {
  if (dialog.open && context.row) return action(context.row, -1);
  if (current < 0) choose(0);
  return rows[current] ? action(rows[current][1], rows[current][0]) : undefined;
}

function listen() {
  addEventListener("popstate", () => guarded(show()));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    if (!by("keys").checked || by("help").open || !Object.hasOwn(ACTIONS, event.key)) return;
    event.preventDefault();
    guarded(ACTIONS[event.key]());
  });
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["words", "titles"]) {
    by(name).addEventListener("input", () =>
      soon(() => go({ words: by("words").value, titles: by("titles").value, page: 1, row: "" })),
    );
    by(name).addEventListener("keydown", leave);
  }
  by("table").addEventListener("change", (event) =>
    guarded(go({ ...emptyState(), version: state.version, table: event.target.value, words: state.words })),
  );
  by("version").addEventListener("change", (event) => guarded(go({ version: event.target.value, page: 1, row: "" })));
  for (const name of ["shuffle", "blind"]) {
    by(name).addEventListener("change", (event) => guarded(go({ [name]: event.target.checked, page: 1, row: "" })));
  }
  by("reset").addEventListener("click", () => {
    const { version, table, blind, shuffle } = state;
    by("results").focus(); // the button disappears
    guarded(go({ ...emptyState(), version, table, blind, shuffle }));
  });
  by("previous").addEventListener("click", () => guarded(turnPage(-1)));
  by("next").addEventListener("click", () => guarded(turnPage(1)));
  by("export").addEventListener("click", () =>
    context.marks.export(`marks-${versions[context.versionName].recipe}.jsonl`),
  );
  listenToHelp();
  dialog.addEventListener("close", () => {
    const place = rows.findIndex(([number]) => number === context.number);
    if (state.row) guarded(go({ row: "" }).then(() => choose(Math.max(0, place))));
  });
  by("more").open = matchMedia("(min-width: 52rem)").matches;
}

async function start() {
  versions = await json("versions.bin");
  listen();
  await show();
  // Preload the data for the first filter; an error is shown only when it is used.
  const { table } = context; // another table may be shown before they are loaded
  const columns = table.values.filter(({ values }) => values.length > 1);
  await Promise.allSettled(columns.map((column) => table.codes(column)));
}

guarded(start());
