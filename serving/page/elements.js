// Elements of the page that several answers have. Texts become text nodes only, never HTML.

/** Makes an element; a child is an element or a text. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat());
  return made;
}

/** Elements of pieces of a text; those that changed are in an element of this name. */
export function marked(parts, name) {
  return parts.map((part) => (part.changed ? element(name, {}, part.text) : part.text));
}

/** A word or two in a frame; the kind is warn or nothing. */
export function label(text, kind = "") {
  return element("span", { className: `label ${kind}` }, text);
}

/** A button that copies a text. */
export function copying(text) {
  return element("button", { type: "button", className: "copy", value: text }, "Copy");
}
