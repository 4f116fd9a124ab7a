// Sentences, characters and marked words of texts.

/** Divides pasted text into sentences: its lines if there are several, otherwise the browser's sentences. */
export function sentences(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (lines.length !== 1) return lines;
  const parts = new Intl.Segmenter("en", { granularity: "sentence" }).segment(lines[0]);
  return Array.from(parts, (part) => part.segment.trim()).filter(Boolean);
}

/** Returns a server message as a sentence. */
export function asSentence(message) {
  const said = message.replace(/^pairs\.0\.(first|second): it /, "the $1 sentence ").replace(/^(text|title): it /, "the $1 ");
  return `${said[0].toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}

/** Returns a text without control characters, which the server rejects; text copied from PDFs may contain them. */
export function printable(text) {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ").trim();
}

/**
 * Divides a text at the boundaries of spans, which count Unicode characters and may overlap.
 * Returns pieces of the text, each with whether a span contains it.
 */
export function pieces(text, spans) {
  const characters = Array.from(text);
  const held = new Array(characters.length).fill(false);
  for (const [start, end] of spans) held.fill(true, start, end);
  const found = [];
  for (let start = 0, end; start < characters.length; start = end) {
    for (end = start + 1; end < characters.length && held[end] === held[start]; end += 1);
    found.push({ text: characters.slice(start, end).join(""), changed: held[start] });
  }
  return found;
}
