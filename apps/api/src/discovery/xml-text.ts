/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What XML 1.0 cannot hold, not even escaped: most control characters, halves of surrogate pairs, two non-characters. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A carriage return would come back as a line feed: parsers normalise line ends. */
const MARKUP = /[&<>\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };

const SIMPLE_NAME = /^[a-z](?:[a-z0-9]|_(?!x))*$/;
/** A name character that cannot stand where it is, or an underscore that would be read as the beginning of an escape. */
const UNFIT = /^[^A-Za-z_]|[^A-Za-z0-9_.-]|_(?=x[0-9A-Fa-f]{4,6}_)/gu;

/**
 * A value as XML: the root is named `response`, elements are named after keys, an array is its key's element repeated, null
 * an empty element. A key that is no XML name has the characters at fault as `_xHHHH_`, e.g. `1200x525` as `_x0031_200x525`.
 */
export function xmlText(value: Json): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('response', value)}`;
}

/** The reverse is in the guide: `_xHHHH_` is the character of that code point. */
export function elementName(key: string): string {
  if (SIMPLE_NAME.test(key)) return key;
  const escaped = key.replace(UNFIT, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  });
  return escaped === '' ? '_' : escaped;
}

function element(name: string, value: Json): string {
  if (isArray(value)) return value.map((entry) => element(name, entry)).join('');
  if (value === null || value === '') return `<${name}/>`;
  if (typeof value !== 'object') return `<${name}>${typeof value === 'string' ? text(value) : value}</${name}>`;
  const children = Object.entries(value).map(([key, child]) => element(elementName(key), child));
  return `<${name}>${children.join('')}</${name}>`;
}

function text(value: string): string {
  const clean = value.replace(NO_XML, '');
  return MARKUP.test(clean) ? clean.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '') : clean;
}

/** `Array.isArray` does not narrow a union with a readonly array. */
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
