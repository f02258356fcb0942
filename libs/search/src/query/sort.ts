/** All that `sort` may name; a resource without such a field (a venue has no date) is sorted by id. */
export const SORT_FIELDS = ['datetime_local', 'datetime_utc', 'announce_date', 'id', 'score'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** Equal values follow each other by growing id, and a null comes last, whichever the direction. */
export type Sort = Readonly<{ field: SortField; direction: 'asc' | 'desc' }>;
