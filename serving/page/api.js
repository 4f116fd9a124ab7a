// The server's API, with its error messages.

import { asSentence } from "./text.js";

/** An error message; `needsKey` is whether the server requires a key. */
export class Failure extends Error {
  constructor(message, { needsKey = false } = {}) {
    super(message);
    this.needsKey = needsKey;
  }
}

const BODIES = {
  fuse: ({ sentences, wanted }) => ({
    pairs: [{ first: sentences[0], second: sentences[1] }],
    discourse_type: wanted.type || null,
    connective: wanted.connective || null,
    n: Number(wanted.most),
  }),
  split: ({ sentences }) => ({ pairs: [{ first: sentences[0], second: sentences[1] ?? "" }] }),
  propositions: ({ text, wanted }) => ({ text, title: wanted.title }),
  summarize: ({ text, language }) => ({ text, ...(language ? { language } : {}) }),
};

/** Sends a task to the server, asking for an explanation if available, and returns the response. Throws a Failure. */
export async function ask(task, input, key) {
  const body = BODIES[task](input);
  if (task !== "propositions") return post(task, { ...body, explain: true }, key);
  const [stated, resolved] = await Promise.all([post("propositions", body, key), post("resolve", body, key)]);
  return { ...stated, resolved };
}

async function post(route, given, key) {
  const headers = { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  const body = JSON.stringify(given);
  let response;
  try {
    response = await fetch(`v1/${route}`, { method: "POST", headers, body });
  } catch {
    throw new Failure("The server cannot be reached. Check your connection and try again.");
  }
  if (response.ok) return response.json();
  throw await failure(response);
}

async function failure(response) {
  const { detail } = await response.json().catch(() => ({}));
  if (response.status === 401) return new Failure("This server requires a key. Enter it and try again.", { needsKey: true });
  if (response.status === 429) {
    const seconds = response.headers.get("Retry-After");
    return new Failure(`The server is busy. Try again ${seconds ? `in ${seconds} s` : "later"}.`);
  }
  return new Failure(detail ? asSentence(detail) : `The server failed (status ${response.status}). Try again later.`);
}

/** Returns the article languages that the server supports. */
export async function languages() {
  try {
    const described = await (await fetch("openapi.json")).json();
    const { anyOf } = described.components.schemas.TextRequest.properties.language;
    return anyOf.find((part) => part.type === "string").enum;
  } catch {
    return ["en"];
  }
}
