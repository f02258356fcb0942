import { parseJson, stringifyJson } from '#base/json';
import { type Argument, parametersOf, text } from './argument.js';
import type { Json } from './xml-text.js';

const MAX_ID_LENGTH = 100;

const IDS = [
  { name: 'aid', id: text('aid', "partner's id, added to every address in the documents", MAX_ID_LENGTH) },
  { name: 'rid', id: text('rid', "partner's second id, likewise", MAX_ID_LENGTH) },
];

/** The query that `aid` and `rid` add to links, e.g. `aid=12&rid=3`; undefined if neither is given. */
export const PARTNER: Argument<string | undefined> = {
  parameters: parametersOf(IDS.map(({ id }) => id)),
  read: (args) => {
    const given = IDS.flatMap(({ name, id }) => {
      const value = id.read(args);
      return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
    });
    return given.length > 0 ? given.join('&') : undefined;
  },
};

/** Adds the partner's ids to all links of the document, including images and external profiles (specification). */
export function withPartner(json: string, partner: string | undefined): string {
  if (partner === undefined) return json;
  return stringifyJson(withQueryEverywhere(parseJson(json) as Json, partner));
}

function withQueryEverywhere(value: Json, partner: string): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => withQueryEverywhere(entry as Json, partner));
  const entries = Object.entries(value).map(([key, child]): [string, Json] => {
    if (key === 'url' || key === 'image') return [key, withQuery(child, partner)];
    if (key === 'images' && isObject(child)) return [key, eachWithQuery(child, partner)];
    return [key, withQueryEverywhere(child, partner)];
  });
  return Object.fromEntries(entries);
}

function eachWithQuery(addresses: Readonly<Record<string, Json>>, query: string): Json {
  return Object.fromEntries(Object.entries(addresses).map(([size, address]) => [size, withQuery(address, query)]));
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path of the directory site or a web address. Other links (`spotify:artist:1`) take no query. */
const TAKES_QUERY = /^(?:\/|https?:)/i;

function withQuery(address: Json, query: string): Json {
  if (typeof address !== 'string' || !TAKES_QUERY.test(address)) return address;
  const [, base = address, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const joint = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${joint}${query}${fragment}`;
}
