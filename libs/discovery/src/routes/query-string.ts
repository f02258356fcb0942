/** Arguments by decoded name, with their values in order; undefined for a value that cannot be decoded. */
export type Query = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * Parses the query of a request target. URLSearchParams would hide which value is malformed. Names that cannot be decoded are
 * ignored. Node rejects bytes beyond ASCII earlier.
 */
export function parseQuery(target: string): Query {
  const query = new Map<string, (string | undefined)[]>();
  const start = target.indexOf('?');
  if (start < 0) return query;
  for (const pair of target.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (!name) continue;
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
