import type { ArgumentReader } from './argument-reader.js';
import type { Json } from './xml-text.js';

const LONGEST_ID = 100;

/** What `aid` and `rid` add to addresses, e.g. `aid=12&rid=3`; undefined when neither is given. */
export function readPartner(args: ArgumentReader): string | undefined {
  const given = (['aid', 'rid'] as const).flatMap((name) => {
    const value = args.text(name, LONGEST_ID);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return given.length > 0 ? given.join('&') : undefined;
}

/**
 * The document with the partner's ids on the address of every event, performer and venue in it. Other addresses, of images or of
 * a performer's profiles elsewhere (`links`), lead to other sites and stay as they are.
 */
export function withPartner(json: string, partner: string): string {
  return JSON.stringify(linked(JSON.parse(json) as Json, partner));
}

function linked(value: Json, partner: string): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => linked(entry as Json, partner));
  const entries = Object.entries(value).map(([key, child]): [string, Json] => {
    if (key === 'links') return [key, child];
    if (key === 'url' && typeof child === 'string') return [key, withQuery(child, partner)];
    return [key, linked(child, partner)];
  });
  return Object.fromEntries(entries);
}

function withQuery(address: string, query: string): string {
  const [, base = address, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const joint = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${joint}${query}${fragment}`;
}
