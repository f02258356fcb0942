/** Headers as a server has them: of Node, Fastify or Express, or the `Headers` of fetch. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header that came exactly once; undefined otherwise: of two nobody can say which one counts. */
export function headerIn(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === wanted ? value : []));
  return values.length === 1 ? values[0] : undefined;
}
