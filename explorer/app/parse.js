// How a row was produced: its parse, coreference, operations and edits, computed by the server.

import { make, mergedText } from "./dom.js";

// Elements that explain a row, or an error.
export async function parseOf({ versionName }, row) {
  const asked = new URLSearchParams({ version: versionName, id: row.id });
  const response = await fetch(`api/row?${asked}`).catch(() => null);
  const found = response?.ok ? await response.json() : { problem: "The server does not respond." };
  if (found.problem) return [make("p", { class: "remarks", role: "alert" }, found.problem)];
  return [make("h3", { tabindex: "-1" }, "How it was produced"), ...parsed(found, asked)];
}

function parsed(found, asked) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "1" : "";
  return [
    make("p", { class: "note" }, found.origin),
    make("h4", {}, "Coreference"),
    ...found.sentences.map((sentence) => make("p", { class: "text", dir: "auto" }, mentions(sentence))),
    found.sentences.some(({ pieces }) => pieces.some(({ cluster }) => cluster !== null))
      ? null
      : make("p", { class: "note" }, "No mention in these sentences refers to another."),
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
      "There are no operations to show; run gistmill explore --input to show those in the page.",
    ),
    found.edits.length ? make("h4", {}, "Edits that fuse the sentences again") : null,
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
    list.map(({ name, detail, before, after }) =>
      make(
        "li",
        {},
        make("p", {}, make("strong", {}, name), ` ${detail}`),
        make("p", { class: "note", dir: "auto" }, mergedText(before.join(" | "), after.join(" | "))),
      ),
    ),
  );
}
