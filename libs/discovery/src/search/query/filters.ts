export type Operator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** Milliseconds since 1970. A local time is read as if it were UTC. */
export type DateBound = Readonly<{ operator: Operator; at: number }>;

/** The lists are alternatives, each with all descendants. `parentIds` match the descendants only. */
export type TaxonomyFilter = Readonly<{
  ids?: readonly number[] | undefined;
  names?: readonly string[] | undefined;
  parentIds?: readonly number[] | undefined;
}>;

/** All given fields must match; each is a list of alternatives. Texts are compared without case and accents. */
export type VenueFilter = Readonly<{
  ids?: readonly number[] | undefined;
  cities?: readonly string[] | undefined;
  states?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  postalCodes?: readonly string[] | undefined;
  names?: readonly string[] | undefined;
  slugs?: readonly string[] | undefined;
}>;
