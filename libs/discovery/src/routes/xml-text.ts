export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Characters that XML 1.0 excludes even when escaped: most control characters, halves of surrogate pairs, two non-characters. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Parsers turn a raw carriage return into a line feed. */
const MARKUP = /[&<>\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const SIMPLE_NAME = /^[a-z](?:[a-z0-9]|_(?!x))*$/;
/** Characters that are invalid at their place, and underscores that would look like the start of an escape. */
const INVALID_IN_NAME = /^[^A-Za-z_]|[^A-Za-z0-9_.-]|_(?=x[0-9A-Fa-f]{4,6}_)/gu;

/**
 * Writes a value as XML: the root is `response`, elements are named after keys, an array repeats the element of its key, null is an
 * empty element. Invalid characters in a key become `_xHHHH_`, e.g. `1200x525` becomes `_x0031_200x525`.
 */
export function xmlText(value: Json): string {
  return `${XML_DECLARATION}${xmlElement('response', value)}`;
}

/** The guide documents the reverse: `_xHHHH_` is the character of that code point. */
export function elementName(key: string): string {
  if (SIMPLE_NAME.test(key)) return key;
  const escaped = key.replace(INVALID_IN_NAME, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  });
  return escaped === '' ? '_' : escaped;
}

/** One element, or for an array one for each of its entries. */
export function xmlElement(name: string, value: Json): string {
  if (isArray(value)) return value.map((entry) => xmlElement(name, entry)).join('');
  if (value === null || value === '') return `<${name}/>`;
  if (typeof value !== 'object') return `<${name}>${typeof value === 'string' ? text(value) : value}</${name}>`;
  const children = Object.entries(value).map(([key, child]) => xmlElement(elementName(key), child));
  return `<${name}>${children.join('')}</${name}>`;
}

function text(value: string): string {
  const clean = value.replace(NOT_XML, '');
  return MARKUP.test(clean) ? clean.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '') : clean;
}

/** `Array.isArray` does not narrow a union with a readonly array. */
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
