/** Received headers: of Node, Fastify or Express, or the `Headers` of fetch. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the value of a header that came exactly once; otherwise undefined, because no rule says which of two counts. */
export function headerIn(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === wanted ? value : []));
  return values.length === 1 ? values[0] : undefined;
}
