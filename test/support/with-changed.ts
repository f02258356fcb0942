/** The object with some of its properties replaced, e.g. a connection that breaks. Its methods work on the object itself. */
export function withChanged<T extends object>(object: T, changed: Readonly<Record<string, unknown>>): T {
  return new Proxy(object, { get: (target, key) => changed[String(key)] ?? bound(target, key) });
}

function bound(target: object, key: string | symbol): unknown {
  const value = Reflect.get(target, key) as unknown;
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
