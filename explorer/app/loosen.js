// The text shown when no row passes all filters: which filter to remove, and how many rows would then pass.

import { make, shownNumber } from "./dom.js";
import { labelOf } from "./list.js";
import { select } from "./select.js";
import { filtersOf } from "./state.js";
import { wordsOf } from "./store.js";

const NOTHING = { words: "", titles: "", document: "", values: Object.create(null), ranges: Object.create(null) };

// Each filter of a state: [name, changes that remove it from the state, changes that keep only it].
function filtersIn(state) {
  const { words, titles, document, values, ranges } = state;
  const found = [];
  const add = (name, without, alone) => found.push([name, without, { ...NOTHING, ...alone }]);
  for (const [part, text, where] of [
    ["words", words, ""],
    ["titles", titles, " in the title"],
  ]) {
    const all = wordsOf(text);
    for (const word of all) {
      const others = all.filter((other) => other !== word).join(" ");
      add(`the word “${word}”${where}`, { [part]: others }, { [part]: word });
    }
  }
  if (document) add(`the document ${document}`, { document: "" }, { document });
  for (const [name, chosen] of Object.entries(values)) {
    const shown = chosen.map((value) => value || "(none)").join(" or ");
    if (chosen.length)
      add(
        `${labelOf(name)}: ${shown}`,
        { values: { __proto__: null, ...values, [name]: [] } },
        { values: { __proto__: null, [name]: chosen } },
      );
  }
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const bounds = [least !== "" && `at least ${least}`, most !== "" && `at most ${most}`].filter(Boolean).join(", ");
    if (bounds)
      add(
        `${labelOf(name)}: ${bounds}`,
        { ranges: { __proto__: null, ...ranges, [name]: ["", ""] } },
        { ranges: { __proto__: null, [name]: [least, most] } },
      );
  }
  return found;
}

// The text for a table without results. ``link(changes)`` returns the address of a changed state.
export async function nothingFound({ table, tables, state, link }) {
  if (!filtersOf(state)) {
    const rejects = tables.find(({ name, rows }) => name === "rejects" && rows);
    const why = make("a", { href: link({ table: "rejects" }) }, "See the rejects for the reasons.");
    return make("p", {}, `${table.name} is empty. `, rejects ? why : null);
  }
  const counted = (ways) =>
    Promise.all(
      ways.map(async ([name, changes]) => {
        const { rows } = await select(table, { ...state, ...changes });
        return [name, rows.length, link({ ...changes, page: 1, row: "" })];
      }),
    );
  const filters = filtersIn(state);
  const ways = await counted(filters.map(([name, without]) => [name, without]));
  const useful = ways.filter(([, count]) => count).sort(([, a], [, b]) => b - a);
  if (useful.length) return listed("No row passes all filters. Without one of them:", useful);
  const alone = await counted(filters.map(([name, , only]) => [name, only]));
  return listed("No row passes all filters, or all but one of them. With only one:", alone);
}

function listed(heading, ways) {
  const lines = ways.map(([name, count, href]) =>
    make("li", { dir: "auto" }, make("a", { href }, name), `: ${shownNumber(count)}`),
  );
  return make("div", { id: "loosen" }, make("p", {}, heading), make("ul", {}, lines));
}
