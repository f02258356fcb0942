import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../api/http.js';

type Page = Readonly<{ next_cursor: string | null }>;

/** A list of the back office, page by page. `path` has its filters; `pick` takes the rows out of an answer. */
export function usePageQuery<Answer extends Page, Row>(path: string, pick: (answer: Answer) => readonly Row[]) {
  const query = useInfiniteQuery({
    queryKey: ['list', path],
    queryFn: ({ pageParam, signal }) =>
      ask<Answer>(pageParam === '' ? path : `${path}&cursor=${encodeURIComponent(pageParam)}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  return { ...query, rows: query.data?.pages.flatMap(pick) ?? [] };
}
