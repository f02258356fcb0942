/** The names of a record that has no others, e.g. of words. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}

/** Whether a text is one of the names of the record. */
export const isKeyOf = <Key extends string>(record: Readonly<Record<Key, unknown>>, text: string): text is Key =>
  Object.hasOwn(record, text);

/** A record with a value for each of these names. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  // The types of the language cannot follow that each name is there.
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
}
