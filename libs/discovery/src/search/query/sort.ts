/** All fields that `sort` accepts. A resource without the field (a venue has no date) is sorted by id. */
export const SORT_FIELDS = ['datetime_local', 'datetime_utc', 'announce_date', 'id', 'score'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** In both directions equal values are sorted by ascending id, and nulls come last. */
export type Sort = Readonly<{ field: SortField; direction: 'asc' | 'desc' }>;
