/** What of a row is searched. Times in milliseconds since 1970, a local one read as if it were UTC. */
export type EventRow = Readonly<{
  id: number;
  title: string;
  short_title: string;
  type: string;
  utc: number;
  local: number;
  announced: number | null;
  visible_until: number | null;
  /** Those with a flag are among `performer_ids`, too. */
  performer_ids: readonly number[];
  primary_performer_ids: readonly number[];
  home_team_ids: readonly number[];
  away_team_ids: readonly number[];
  own_taxonomy_ids: readonly number[];
  venue_id: number;
  listing_count: number | null;
  average_price: number | null;
  lowest_price: number | null;
  highest_price: number | null;
  score: number;
}>;

export type VenueRow = Readonly<{
  id: number;
  name: string;
  slug: string;
  city: string | null;
  state: string | null;
  country: string | null;
  postal_code: string | null;
  lat: number | null;
  lon: number | null;
  score: number;
  /** Address, city, state and country, in words too. */
  place_text: string;
}>;

export type PerformerRow = Readonly<{
  id: number;
  name: string;
  short_name: string;
  slug: string;
  type: string;
  taxonomy_ids: readonly number[];
  genre_slugs: readonly string[];
  primary_genre_slugs: readonly string[];
  score: number;
  /** Type, taxonomies, genres and divisions. */
  kind_text: string;
}>;

export type TaxonomyRow = Readonly<{ id: number; name: string; parent_id: number | null; document: string }>;
export type GenreRow = Readonly<{ id: number; name: string; slug: string; document: string }>;
