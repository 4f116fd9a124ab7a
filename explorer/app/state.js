// The state of the page and its permalink: everything is after the # in the address.

const PLAIN = {
  version: "0",
  table: "",
  words: "",
  titles: "",
  document: "",
  page: 1,
  row: "",
  shuffle: false,
  blind: false,
};

// Column names come from the address, so values and ranges have no prototype that "__proto__" would reach.
export function emptyState() {
  return { ...PLAIN, values: Object.create(null), ranges: Object.create(null) };
}

export function readState(hash) {
  const state = emptyState();
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name.startsWith("is.")) (state.values[name.slice(3)] ??= []).push(value);
    else if (name.startsWith("in.")) {
      const [least, most] = value.split("..");
      state.ranges[name.slice(3)] = [least, most ?? ""];
    } else if (name === "page") state.page = Math.max(1, Number.parseInt(value, 10) || 1);
    else if (typeof PLAIN[name] === "boolean") state[name] = value === "1";
    else if (Object.hasOwn(PLAIN, name)) state[name] = value;
  }
  return state;
}

export function writeState(state) {
  const found = new URLSearchParams();
  for (const [name, plain] of Object.entries(PLAIN)) {
    if (state[name] !== plain) found.set(name, state[name] === true ? "1" : String(state[name]));
  }
  for (const [name, values] of Object.entries(state.values))
    for (const value of values) found.append(`is.${name}`, value);
  for (const [name, [least, most]] of Object.entries(state.ranges)) {
    if (least !== "" || most !== "") found.set(`in.${name}`, `${least}..${most}`);
  }
  return `#${found}`;
}

export function filtersOf(state) {
  const { words, titles, document, values, ranges } = state;
  const chosen = Object.values(values).reduce((sum, list) => sum + list.length, 0);
  const bounded = Object.values(ranges).filter((bounds) => bounds.some((bound) => bound !== "")).length;
  return chosen + bounded + [words, titles, document].filter((text) => text.trim()).length;
}
