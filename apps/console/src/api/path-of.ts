type Argument = string | number | undefined;

/** What stands in the address of a request. */
export type Place = Readonly<{
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, Argument | readonly Argument[]>>;
}>;

/** `GET orders/{id}` with the parameters filled in: `orders/7?version=2`. An argument with several values is repeated. */
export function pathOf(route: string, { path = {}, query = {} }: Place): string {
  const [, template = ''] = route.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) asked.append(name, `${one}`);
  }
  return asked.size > 0 ? `${filled}?${asked.toString()}` : filled;
}
