// The page around the rows: titles, the choice of version and table, and error messages.

import { make, shownNumber, shownTime } from "./dom.js";
import { filtersOf } from "./state.js";

const PATIENCE = 150; // milliseconds of pause in typing before a text is used

export const by = (id) => document.getElementById(id);

export function showChoices({ table, tables, versionName }, versions) {
  by("table").replaceChildren(
    ...tables.map(({ name, rows }) =>
      make("option", { value: name, selected: name === table.name }, `${name} (${shownNumber(rows)})`),
    ),
  );
  by("version").replaceChildren(
    ...versions.map(({ name, made, version }, i) => {
      const selected = String(i) === versionName;
      return make("option", { value: String(i), selected }, `${name}: ${shownTime(made)}, gistmill ${version}`);
    }),
  );
  for (const id of ["version", "version-label"]) by(id).hidden = versions.length < 2;
}

export function showTexts({ state, marks }, { name, recipe, grain, made, version }) {
  for (const id of ["words", "titles"]) {
    if (document.activeElement !== by(id)) by(id).value = state[id];
  }
  for (const id of ["shuffle", "blind"]) by(id).checked = state[id];
  const filters = filtersOf(state);
  by("active").textContent = filters ? `(${filters} active)` : "";
  by("reset").hidden = !filters;
  by("marked").textContent = shownNumber(marks.size);
  by("title").textContent = name;
  document.title = `${name}: explorer`;
  const alone = state.document ? ` Only document ${state.document}.` : "";
  const job = grain ? `${recipe} --grain ${grain}` : recipe;
  by("made").textContent = `Made by gistmill ${job}, version ${version}, ${shownTime(made)}.${alone}`;
}

// Shows an error until something succeeds.
export async function guarded(promise) {
  try {
    await promise;
    by("problem").hidden = true;
  } catch (problem) {
    by("problem").textContent = `Something went wrong: ${problem.message}`;
    by("problem").hidden = false;
  }
}

let waiting;

// Calls a function once typing stops.
export function soon(action) {
  clearTimeout(waiting);
  waiting = setTimeout(() => guarded(action()), PATIENCE);
}

// Escape keeps the text; by default, a browser would clear it.
export function leave(event) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.target.blur();
}

// The list of keys, with a switch that turns them off.
export function listenToHelp() {
  by("help-open").addEventListener("click", () => by("help").showModal());
  by("help-close").addEventListener("click", () => by("help").close());
  by("keys").checked = localStorage.getItem("gistmill-keys") !== "off";
  by("keys").addEventListener("change", (event) =>
    localStorage.setItem("gistmill-keys", event.target.checked ? "on" : "off"),
  );
}
