/** A value that differs between two documents. `path` is a JSON Pointer (RFC 6901). A missing value is null. */
export type JsonChange = Readonly<{ path: string; before: unknown; after: unknown }>;

/** The smallest parts that differ. Setting each `after` at its path makes the second document of the first. */
export function jsonChanges(before: unknown, after: unknown, path = ''): JsonChange[] {
  if (Object.is(before, after)) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before: before ?? null, after: after ?? null }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => jsonChanges(before[key], after[key], `${path}/${escaped(key)}`));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
