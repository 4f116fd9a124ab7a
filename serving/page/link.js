// A task, its text and its options in the fragment of a link, which browsers do not send to servers.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns the fragment for a task, a text, the language of an article ("" for none) and options by name. */
export async function toFragment({ task, text, language, wanted }) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const coded = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const asked = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
  return `#${task}${language ? `.${language}` : ""}${asked ? `?${asked}` : ""}:${coded}`;
}

/** Returns the content of a fragment, or null if it is empty. Throws an Error if it is damaged. */
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
    throw new Error("The link is damaged, so its text cannot be read. Get a new link, or paste the text.");
  }
}
