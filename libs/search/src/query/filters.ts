export type Operator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** Milliseconds since 1970 in UTC; a local time is read as if its clock showed UTC. */
export type DateBound = Readonly<{ operator: Operator; at: number }>;

/** Any one of them, or a taxonomy below it in the tree; `parentIds` mean the ones below only. All three lists are alternatives. */
export type TaxonomyFilter = Readonly<{
  ids?: readonly number[] | undefined;
  names?: readonly string[] | undefined;
  parentIds?: readonly number[] | undefined;
}>;

/** Fields that are given must all match; each is a list of alternatives. Texts without regard to case and accents. */
export type VenueFilter = Readonly<{
  ids?: readonly number[] | undefined;
  cities?: readonly string[] | undefined;
  states?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  postalCodes?: readonly string[] | undefined;
  names?: readonly string[] | undefined;
  slugs?: readonly string[] | undefined;
}>;
