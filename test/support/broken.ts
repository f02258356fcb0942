export type Json = Readonly<Record<string, unknown>>;

/** A copy of the body with other values at the dotted paths. `undefined` removes a field. */
export function broken(body: object, changes: Json): unknown {
  const copy: unknown = structuredClone(body);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], copy);
    const fields = parent as Record<string, unknown>;
    if (value === undefined) delete fields[last];
    else fields[last] = value;
  }
  return copy;
}
