// The page: a form whose answer is shown beside it, and a link that holds both.

import { ask, Failure, languages } from "./api.js";
import { fromFragment, toFragment } from "./link.js";
import { point } from "./propositions.js";
import { printable, sentences } from "./text.js";
import { answered, empty, failed, languageChoices, types } from "./view.js";

const TASKS = {
  fuse: {
    verb: "Fuse",
    about:
      "This joins two sentences into one text, as an editor would. You can ask for a type of fusion, or for a connective.",
    hint: "Two sentences",
    empty: "The fusion and its edits come here.",
    example: "The bridge was closed on Monday. The bridge had cracks in two of its pillars.",
  },
  split: {
    verb: "Split",
    about:
      "This splits a sentence in two, or makes two sentences independent of each other, by the rules of DiscoFuse. Splits that the rules refuse are shown with the reason.",
    hint: "A sentence, or two that follow each other",
    empty: "The sentences and what the rules did come here.",
    example: "The Sharks started the season slowly, yet they recovered to claim sixth spot.",
  },
  propositions: {
    verb: "Divide",
    about:
      "This divides a text into short statements, and replaces pronouns with what they refer to where that is certain enough. Each statement says whether it can be understood without the text.",
    hint: "A text in English; a blank line ends a paragraph",
    empty: "The text comes here as statements that stand alone, and with its pronouns resolved.",
    example:
      "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built. Her notes were printed in 1843, but few people read them then.",
  },
  summarize: {
    verb: "Summarize",
    about:
      "This summarizes an article in a few sentences. What the summary copies from the article is marked in both.",
    hint: "An article; a blank line ends a paragraph",
    empty: "The summary comes here, with what it copies from the article.",
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
// the fields that say what is wanted, and those of each task
const WANTED = Object.fromEntries(["type", "connective", "most", "title"].map((id) => [id, document.getElementById(id)]));
const FIELDS = { fuse: ["type", "connective", "most"], propositions: ["title"] };
const ANY_SIZE = { fuse: [2, 2], split: [1, 2] };
const PASTED = { propositions: "a text", summarize: "an article" };
let asked = 0; // the number of the newest request; answers of older ones are not shown

const task = () => form.elements.task.value;

function show(elements, { isError = false } = {}) {
  result.classList.toggle("failed", isError);
  result.setAttribute("aria-busy", "false");
  result.replaceChildren(...elements);
}

/** Shows what belongs to the chosen task; an answer to another one goes. */
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

/** What is wanted of the chosen task, by name. */
function wanted() {
  return Object.fromEntries((FIELDS[task()] ?? []).map((name) => [name, printable(WANTED[name].value)]));
}

/** What is asked for, checked. Throws a Failure. */
function input() {
  const given = printable(text.value);
  if (!given) throw new Failure(`There is no text. Paste ${PASTED[task()] ?? "sentences"} first.`);
  if (task() in PASTED) return { text: given, language: language.value, wanted: wanted() };
  const found = sentences(given);
  const [least, most] = ANY_SIZE[task()];
  if (found.length < least || found.length > most) {
    const size = least === most ? "two sentences" : "one sentence or two";
    throw new Failure(`This takes ${size}, and the text has ${found.length}. Put each sentence on a line of its own.`);
  }
  const { min, max } = WANTED.most;
  if (task() === "fuse" && !WANTED.most.checkValidity())
    throw new Failure(`The number of fusions is a whole number from ${min} to ${max}.`);
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

/** Puts a text into the clipboard and says so on the button. */
async function copy(button, copied) {
  try {
    await navigator.clipboard.writeText(copied);
  } catch {
    // pages that did not come by HTTPS have no clipboard of their own
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

/** Takes over what the link holds, and asks for its answer. */
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
form.noValidate = true; // what is missing is said in the page's own words
choose();
languages().then((codes) => {
  language.replaceChildren(...languageChoices(codes));
  language.value = codes.includes("en") ? "en" : codes[0];
  document.getElementById("language-field").hidden = task() !== "summarize" || codes.length < 2;
  return open();
});
