// The rows that pass the filters, and the number of rows per value. All numbers are exact.

import { wordsOf } from "./store.js";

function common(one, other) {
  const both = new Uint32Array(Math.min(one.length, other.length));
  let count = 0;
  for (let i = 0, k = 0; i < one.length && k < other.length;) {
    if (one[i] < other[k]) i++;
    else if (one[i] > other[k]) k++;
    else {
      both[count++] = one[i++];
      k++;
    }
  }
  return both.subarray(0, count);
}

// The rows that contain all words in the state; null if there are none.
async function found(table, state) {
  const wanted = [...wordsOf(state.words), ...wordsOf(state.titles).map((word) => `title:${word}`)];
  if (state.document) wanted.push(`document:${state.document}`);
  if (!wanted.length) return null;
  const lists = await Promise.all(wanted.map((word) => table.rowsOf(word)));
  return lists.sort((a, b) => a.length - b.length).reduce(common);
}

async function choices(table, state) {
  const columns = table.values.filter((column) => column.values.length > 1);
  const codes = await Promise.all(columns.map((column) => table.codes(column)));
  return columns.map((column, i) => {
    const chosen = state.values[column.name] ?? [];
    const sets = column.sets ?? column.values.map(([value]) => [value]);
    const allowed = chosen.length ? Uint8Array.from(sets, (set) => set.some((value) => chosen.includes(value))) : null;
    return { column, codes: codes[i], allowed, counts: new Uint32Array(sets.length) };
  });
}

async function bounds(table, state) {
  const asked = table.numbers.filter((column) => (state.ranges[column.name] ?? ["", ""]).some((bound) => bound !== ""));
  const numbers = await Promise.all(asked.map((column) => table.numbersOf(column)));
  return asked.map((column, i) => {
    const [least, most] = state.ranges[column.name];
    return {
      numbers: numbers[i],
      least: least === "" ? -Infinity : Number(least),
      most: most === "" ? Infinity : Number(most),
    };
  });
}

// The row numbers, and the counts of each column's values. A value's count is the number of rows with the other
// filters and this value: the choice in its own column is ignored.
export async function select(table, state) {
  const [some, columns, ranges] = await Promise.all([found(table, state), choices(table, state), bounds(table, state)]);
  const asked = columns.filter((column) => column.allowed);
  const size = some ? some.length : table.rows;
  const rows = new Uint32Array(size);
  let total = 0;
  candidates: for (let i = 0; i < size; i++) {
    const row = some ? some[i] : i;
    for (const range of ranges) {
      const number = range.numbers[row];
      if (!(number >= range.least && number <= range.most)) continue candidates;
    }
    let failed = null;
    for (const column of asked) {
      if (column.allowed[column.codes[row]]) continue;
      if (failed) continue candidates;
      failed = column;
    }
    if (failed) failed.counts[failed.codes[row]]++;
    else {
      rows[total++] = row;
      for (const column of columns) column.counts[column.codes[row]]++;
    }
  }
  return { rows: rows.subarray(0, total), counts: new Map(columns.map((found) => [found.column.name, apart(found)])) };
}

// The counts of values, from those of the sets that contain them.
function apart({ column: { sets, values }, counts }) {
  if (!sets) return counts;
  return values.map(([value]) => counts.reduce((sum, count, i) => sum + (sets[i].includes(value) ? count : 0), 0));
}

// The counts without filters, from the index.
export function everything(table) {
  return {
    rows: null,
    counts: new Map(table.values.map(({ name, values }) => [name, values.map(([, count]) => count)])),
  };
}

// The order of the rows shown: by number, or random.
export class Order {
  // ``rows``: the numbers of the rows shown, ascending; null for all rows.
  constructor(rows, all, shuffle) {
    this.rows = rows;
    this.size = rows ? rows.length : all;
    this.shuffle = shuffle;
  }

  // The row number at a position.
  at(place) {
    const at = this.shuffle ? shuffled(place, this.size) : place;
    return this.rows ? this.rows[at] : at;
  }

  // The position of a row number; -1 if it is not shown.
  placeOf(number) {
    const at = this.rows ? this.rows.indexOf(number) : number;
    if (at < 0 || at >= this.size || !this.shuffle) return at < this.size ? at : -1;
    return shuffled(at, this.size, true);
  }
}

// A position in a random order of rows: a permutation by four rounds of a Feistel network, repeated until the
// position is in range; ``back`` inverts it. The same rows always have the same order.
function shuffled(place, size, back = false) {
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(2, size)) / 2));
  const mask = 2 ** bits - 1;
  const mixed = (half, round) => {
    let word = Math.imul(half + round * 0x9e3779b9, 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) & mask;
  };
  do {
    let left = Math.floor(place / 2 ** bits),
      right = place & mask;
    for (let step = 1; step <= 4; step++) {
      if (back) [left, right] = [right ^ mixed(left, 5 - step), left];
      else [left, right] = [right, left ^ mixed(right, step)];
    }
    place = left * 2 ** bits + right;
  } while (place >= size);
  return place;
}
