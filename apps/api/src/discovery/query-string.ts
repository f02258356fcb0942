/** Arguments by their decoded names, each with its values in the order they came; undefined for one that cannot be decoded. */
export type Query = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * The query of a request's target. URLSearchParams would hide which value was broken. A name that cannot be decoded is nobody's
 * argument. Bytes beyond ASCII never come here: Node refuses them.
 */
export function parseQuery(target: string): Query {
  const query = new Map<string, (string | undefined)[]>();
  const start = target.indexOf('?');
  if (start < 0) return query;
  for (const pair of target.slice(start + 1).split('&')) {
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

function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
