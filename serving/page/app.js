// The page: a form, the result next to it, and a link that contains both.

import { ask, Failure, languages } from "./api.js";
import { fromFragment, toFragment } from "./link.js";
import { point } from "./propositions.js";
import { printable, sentences } from "./text.js";
import { answered, empty, failed, languageChoices, types } from "./view.js";

const TASKS = {
  fuse: {
    verb: "Fuse",
    about:
      "Joins two sentences into one text, as an editor would. You can choose the type of fusion and the connective.",
    hint: "Two sentences",
    empty: "The fusion and its edits appear here.",
    example: "The bridge was closed on Monday. The bridge had cracks in two of its pillars.",
  },
  split: {
    verb: "Split",
    about:
      "Splits a sentence in two, or makes two sentences independent of each other, with the DiscoFuse rules. Rejected splits are shown with the reason.",
    hint: "One sentence, or two consecutive ones",
    empty: "The sentences and the operations of the rules appear here.",
    example: "The Sharks started the season slowly, yet they recovered to claim sixth spot.",
  },
  propositions: {
    verb: "Divide",
    about:
      "Divides a text into short statements, and replaces pronouns with their antecedents where these are certain enough. Each statement says whether it can be understood without the text.",
    hint: "An English text, with blank lines between paragraphs",
    empty: "The statements and the text with its pronouns resolved appear here.",
    example:
      "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built. Her notes were printed in 1843, but few people read them then.",
  },
  summarize: {
    verb: "Summarize",
    about:
      "Summarizes an article in a few sentences. Passages copied from the article are marked in both.",
    hint: "An article, with blank lines between paragraphs",
    empty: "The summary appears here, with the passages copied from the article.",
    example: [
      "The bridge over the river was closed on Monday. Engineers had found cracks in two of its pillars. Drivers have to take the old road, which is ten miles longer.",
      "The bridge was built in 1932 by the town. A flood destroyed two of its arches in 1968, and the council had them repaired with stone from the same quarry.",
      "The repairs will take three months. The council said that the bridge would open again before winter.",
    ].join("\n\n"),
  },
};

const [form, text, result, run, hint, language, key] = "form text result run hint language key"
  .split(" ")
  .map((id) => document.getElementById(id));
// the option fields, and those of each task
const WANTED = Object.fromEntries(["type", "connective", "most", "title"].map((id) => [id, document.getElementById(id)]));
const FIELDS = { fuse: ["type", "connective", "most"], propositions: ["title"] };
const ANY_SIZE = { fuse: [2, 2], split: [1, 2] };
const PASTED = { propositions: "a text", summarize: "an article" };
let asked = 0; // the number of the newest request; answers to older ones are not shown

const task = () => form.elements.task.value;

function show(elements, { isError = false } = {}) {
  result.classList.toggle("failed", isError);
  result.setAttribute("aria-busy", "false");
  result.replaceChildren(...elements);
}

/** Shows the fields of the chosen task and removes another task's result. */
function choose() {
  asked += 1;
  run.disabled = false;
  const chosen = TASKS[task()];
  run.textContent = chosen.verb;
  document.getElementById("about").textContent = chosen.about;
  hint.textContent = chosen.hint;
  text.classList.toggle("article", task() in PASTED);
  document.getElementById("wanted-fields").hidden = task() !== "fuse";
  document.getElementById("title-field").hidden = task() !== "propositions";
  document.getElementById("language-field").hidden = task() !== "summarize" || language.options.length < 2;
  show(empty(chosen.empty));
}

/** The options of the chosen task, by name. */
function wanted() {
  return Object.fromEntries((FIELDS[task()] ?? []).map((name) => [name, printable(WANTED[name].value)]));
}

/** The validated request. Throws a Failure. */
function input() {
  const given = printable(text.value);
  if (!given) throw new Failure(`There is no text. Paste ${PASTED[task()] ?? "sentences"} first.`);
  if (task() in PASTED) return { text: given, language: language.value, wanted: wanted() };
  const found = sentences(given);
  const [least, most] = ANY_SIZE[task()];
  if (found.length < least || found.length > most) {
    const size = least === most ? "two sentences" : "one or two sentences";
    throw new Failure(`Enter ${size}, not ${found.length}, each on a separate line.`);
  }
  const { min, max } = WANTED.most;
  if (task() === "fuse" && !WANTED.most.checkValidity())
    throw new Failure(`The number of fusions must be a whole number from ${min} to ${max}.`);
  return { sentences: found, wanted: wanted() };
}

async function submit() {
  const number = (asked += 1);
  run.disabled = true;
  result.setAttribute("aria-busy", "true");
  let elements;
  let isError = false;
  try {
    const given = input();
    elements = answered(task(), await ask(task(), given, key.value), given.text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (number === asked && error.needsKey) document.getElementById("key-field").hidden = false;
    [elements, isError] = [failed(error.message), true];
  }
  if (number !== asked) return;
  run.disabled = false;
  show(elements, { isError });
}

/** Copies a text to the clipboard and confirms it on the button. */
async function copy(button, copied) {
  try {
    await navigator.clipboard.writeText(copied);
  } catch {
    // pages loaded without HTTPS have no clipboard API
    const field = Object.assign(document.createElement("textarea"), { value: copied });
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    if (button.textContent === "Copied") button.textContent = before;
  }, 1500);
}

async function share(button) {
  const chosen = task() === "summarize" ? language.value : "";
  const fragment = await toFragment({ task: task(), text: text.value, language: chosen, wanted: wanted() });
  history.replaceState(null, "", fragment);
  await copy(button, location.href);
}

/** Restores the form from the link and requests the result. */
async function open() {
  try {
    const found = await fromFragment(location.hash);
    if (!found) return;
    form.elements.task.value = found.task;
    text.value = found.text;
    if (found.language) language.value = found.language;
    for (const [name, field] of Object.entries(WANTED)) field.value = found.wanted[name] ?? field.defaultValue ?? "";
    choose();
    if (WANTED.type.selectedIndex < 0) {
      WANTED.type.value = "";
      throw new Error(`There is no discourse type ${found.wanted.type}. Choose one and try again.`);
    }
    await submit();
  } catch (error) {
    show(failed(error.message), { isError: true });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
form.addEventListener("change", (event) => {
  if (event.target.name === "task") choose();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
});
result.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (button) copy(button, button.value);
});
for (const name of ["focusin", "mouseover"]) result.addEventListener(name, (event) => point(event.target));
for (const name of ["focusout", "mouseleave"]) result.addEventListener(name, () => point(document.activeElement));
document.getElementById("example").addEventListener("click", () => {
  text.value = TASKS[task()].example;
  submit();
});
document.getElementById("share").addEventListener("click", (event) => share(event.currentTarget));
window.addEventListener("hashchange", open);

WANTED.type.replaceChildren(...types());
form.noValidate = true; // the page reports missing input itself
choose();
languages().then((codes) => {
  language.replaceChildren(...languageChoices(codes));
  language.value = codes.includes("en") ? "en" : codes[0];
  document.getElementById("language-field").hidden = task() !== "summarize" || codes.length < 2;
  return open();
});
