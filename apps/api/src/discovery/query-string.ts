/** Arguments by their decoded names, each with its values in the order they came; undefined for one that cannot be decoded. */
export type Query = ReadonlyMap<string, readonly (string | undefined)[]>;

const NOT_ASCII = /\P{ASCII}/u;

/**
 * The query of a request's target. Of its own because clients of such an API rely on more than URLSearchParams keeps:
 * which value was broken, and bytes that were not encoded at all. A name that cannot be decoded is nobody's argument.
 */
export function parseQuery(target: string): Query {
  const query = new Map<string, (string | undefined)[]>();
  const start = target.indexOf('?');
  if (start < 0) return query;
  for (const pair of asUtf8(target.slice(start + 1)).split('&')) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    if (!name) continue;
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/** Node reads the request line as latin1; curl sends UTF-8 there just as it was typed. */
function asUtf8(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
