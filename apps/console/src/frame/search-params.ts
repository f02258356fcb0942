/** The query of an address: each name once or several times, always text. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    valuesOf(value).map((one) => `${encoded(name)}=${encoded(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export function valuesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Commas and colons stay readable: people send these addresses to each other. */
const encoded = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');

/** Reads these names from an address. If it has one several times, its first text counts. */
export const textsOf =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Readonly<Record<string, unknown>>) => {
    const texts: Partial<Record<Name, string | undefined>> = {};
    for (const name of names) texts[name] = valuesOf(search[name])[0];
    return texts;
  };
