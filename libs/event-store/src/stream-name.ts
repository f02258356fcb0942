/** The stream of one thing: its category, a dash, its id. An id may hold dashes, a category may not. */
export function streamName(category: string, id: string): string {
  return `${category}-${id}`;
}

/** The id in the name of a stream of this category; undefined for a stream of another. */
export function idInStream(category: string, stream: string): string | undefined {
  return stream.startsWith(`${category}-`) ? stream.slice(category.length + 1) : undefined;
}
