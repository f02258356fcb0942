import type { GraphqlConnection } from './graphql-connection.js';

type Page<T> = Readonly<{
  search: Readonly<{
    page: Readonly<{
      pageInfo: Readonly<{ hasNextPage: boolean; endCursor: string | null }>;
      edges: readonly Readonly<{ node: T }>[];
    }>;
  }>;
}>;

/** Everything that a search finds, page after page. `document` names the connection `page`. */
export async function* everyNode<T>(
  connection: GraphqlConnection,
  document: string,
  input: Readonly<Record<string, unknown>>,
): AsyncIterable<T> {
  for (let after: string | null = null; ;) {
    const found: Page<T> = await connection.ask<Page<T>>(document, { input, after });
    const { edges, pageInfo } = found.search.page;
    for (const { node } of edges) yield node;
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
  }
}
