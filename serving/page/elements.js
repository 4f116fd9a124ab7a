// Elements shared by several results. Texts become text nodes only, never HTML.

/** Creates an element; each child is an element or a text. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat());
  return made;
}

/** Elements for the pieces of a text; changed pieces are wrapped in an element with this name. */
export function marked(parts, name) {
  return parts.map((part) => (part.changed ? element(name, {}, part.text) : part.text));
}

/** A framed label; the kind is "warn" or omitted. */
export function label(text, kind = "") {
  return element("span", { className: `label ${kind}` }, text);
}

/** A button that copies a text. */
export function copying(text) {
  return element("button", { type: "button", className: "copy", value: text }, "Copy");
}
