/** The searchable fields of a row. Times are milliseconds since 1970; a local time is read as if it were UTC. */
export type EventRow = Readonly<{
  id: number;
  title: string;
  short_title: string;
  type: string;
  utc: number;
  local: number;
  announced: number | null;
  visible_until: number | null;
  /** Includes the performers of the three role lists below. */
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
  /** Address, city, state and country; the last two by code and by name. */
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
  kind_text: string;
}>;

export type TaxonomyRow = Readonly<{ id: number; name: string; parent_id: number | null; document: string }>;
export type GenreRow = Readonly<{ id: number; name: string; slug: string; document: string }>;
