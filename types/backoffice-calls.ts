import type { Routes } from './backoffice-routes.js';

/** A route of the back office, as `GET orders/{id}`. Its path is below `/backoffice/v1/`. */
export type Route = keyof Routes;

export type Answer<R extends Route> = Routes[R]['answer'];

/** The routes that answer a dry run otherwise, and what they answer it. */
export type Previewed = { [R in Route]: Routes[R] extends { preview: unknown } ? R : never }[Route];
export type Preview<R extends Previewed> = Routes[R]['preview'];

type Paged = { query?: { cursor?: string }; answer: { next_cursor: string | null } };
/** The routes that answer a list page by page. */
export type PagedRoute = { [R in Route]: Routes[R] extends Paged ? R : never }[Route];

/** In a request, lists may be readonly, and optional fields undefined. */
type Sent<T> = T extends Blob | FormData
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Sent<T[K]> | (object extends Pick<T, K> ? undefined : never) }
      : T;

/** What a route takes: `path`, `query`, `body`, `file` or `form`, and in `ifMatch` the version that the change expects. */
export type Call<R extends Route> = Sent<{
  [K in keyof Routes[R] as Exclude<K, 'answer' | 'preview'>]: Routes[R][K];
}>;
