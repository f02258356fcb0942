import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Answer, PagedRoute } from '../../../../types/backoffice-calls.js';
import { askPage, FIRST_PAGE, type Request } from '../api/http.js';

/** A list of the back office, page by page. `pick` takes the rows out of an answer. */
export function usePageQuery<R extends PagedRoute, Row>(
  route: R,
  request: Request<R>,
  pick: (answer: Answer<R>) => readonly Row[],
  options: Readonly<{ refetchInterval?: number }> = {},
) {
  const query = useInfiniteQuery({
    queryKey: ['list', route, request],
    queryFn: ({ pageParam: cursor, signal }) => askPage(route, request, { cursor, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    ...options,
  });
  return { ...query, rows: query.data?.pages.flatMap(pick) ?? [] };
}
