// A task, its text and what is wanted of it in the fragment of a link. A browser sends no fragment to a server.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns the fragment of a task, a text, the language of an article ("" for none) and what is wanted, by name. */
export async function toFragment({ task, text, language, wanted }) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const coded = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const asked = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
  return `#${task}${language ? `.${language}` : ""}${asked ? `?${asked}` : ""}:${coded}`;
}

/** Returns what a fragment says, null for an empty one. Throws an Error if it is damaged. */
export async function fromFragment(fragment) {
  if (fragment.length < 2) return null;
  const [, task, language, asked, coded] =
    /^#(fuse|split|propositions|summarize)(?:\.([a-z]{2}))?(?:\?([^:]+))?:([\w-]+)$/.exec(fragment) ?? [];
  try {
    const binary = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const bytes = await through(new DecompressionStream("deflate-raw"), packed);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { task, text, language: language ?? "", wanted: Object.fromEntries(new URLSearchParams(asked)) };
  } catch {
    throw new Error("The link is damaged, so its text cannot be read. Ask for it again, or paste the text.");
  }
}
