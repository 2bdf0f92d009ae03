// Elements without markup: everything from the server stays text, whatever it contains.

const SVG = 'http://www.w3.org/2000/svg';
const PROPERTIES = new Set(['value', 'checked', 'selected', 'disabled', 'open', 'hidden']);

/** An HTML element; `on…` attributes are listeners, null and false ones are left out. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  // Children first: a select takes its value only once it has options.
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

export function button(text, onclick, attributes = {}) {
  return h('button', { type: 'button', onclick, ...attributes }, text);
}

/** A text with `code` between backticks. */
export function prose(text) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? h('code', {}, part) : part));
}

/** A label above its control. */
export function field(label, control, hint) {
  return h(
    'label',
    { class: 'field' },
    h('span', { class: 'field-label' }, label),
    control,
    hint && h('span', { class: 'hint-text' }, hint),
  );
}

/** A select of [value, text] pairs. */
export function select(options, value, onchange, attributes = {}) {
  return h(
    'select',
    { onchange, ...attributes, value },
    options.map(([key, text]) => h('option', { value: key }, text)),
  );
}

/** Offers a value as a JSON file. */
export function download(name, value) {
  const address = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(value))}`;
  h('a', { href: address, download: name }).click();
}
