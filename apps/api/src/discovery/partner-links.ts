import { type Argument, parametersOf, text } from './argument.js';
import type { Json } from './xml-text.js';

const LONGEST_ID = 100;

const IDS = [
  { name: 'aid', id: text('aid', "partner's id, added to every address in the documents", LONGEST_ID) },
  { name: 'rid', id: text('rid', "partner's second id, likewise", LONGEST_ID) },
];

/** What `aid` and `rid` add to addresses, e.g. `aid=12&rid=3`; undefined when neither is given. */
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

/** The document with the partner's ids on all addresses in it, those of images and of profiles elsewhere too (specification). */
export function withPartner(json: string, partner: string): string {
  return JSON.stringify(linked(JSON.parse(json) as Json, partner));
}

function linked(value: Json, partner: string): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => linked(entry as Json, partner));
  const entries = Object.entries(value).map(([key, child]): [string, Json] => {
    if (key === 'url' || key === 'image') return [key, withQuery(child, partner)];
    if (key === 'images' && isObject(child)) return [key, eachWithQuery(child, partner)];
    return [key, linked(child, partner)];
  });
  return Object.fromEntries(entries);
}

function eachWithQuery(addresses: Readonly<Record<string, Json>>, query: string): Json {
  return Object.fromEntries(Object.entries(addresses).map(([size, address]) => [size, withQuery(address, query)]));
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path of the directory site, or an address of the web; what else there is (`spotify:artist:1`) takes no query. */
const TAKES_QUERY = /^(?:\/|https?:)/i;

function withQuery(address: Json, query: string): Json {
  if (typeof address !== 'string' || !TAKES_QUERY.test(address)) return address;
  const [, base = address, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const joint = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${joint}${query}${fragment}`;
}
