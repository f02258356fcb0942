/**
 * The columns that a row copies from the rows it refers to, as SQL. Writing a row and refreshing it after a change of another row
 * both use these queries. They need a relation `facts` with the row's own columns.
 */

/** The derived columns of a table, and a query `derived` that returns them with the id. */
export type Derived = Readonly<{ columns: readonly string[]; query: string }>;

// Many documents share the same few taxonomies, so each list is resolved once.
const KINDS = `
  kinds as materialized (
    select own_taxonomy_ids,
      (select coalesce(string_agg(t.document::text, ',' order by place), '')
       from unnest(own_taxonomy_ids) with ordinality as listed (id, place) join discovery_taxonomies t using (id)) as documents,
      array(select distinct unnest(line_ids) from discovery_taxonomies t where t.id = any (own_taxonomy_ids)
            order by 1) as taxonomy_ids,
      array(select distinct unnest(line_names) from discovery_taxonomies t where t.id = any (own_taxonomy_ids)
            order by 1) as taxonomy_names,
      array(select distinct unnest(line_ids[2:]) from discovery_taxonomies t where t.id = any (own_taxonomy_ids)
            order by 1) as taxonomy_parent_ids
    from (select distinct own_taxonomy_ids from facts) as lists)`;

const TAXONOMY_COLUMNS = ['taxonomy_ids', 'taxonomy_names', 'taxonomy_parent_ids'];
const VENUE_COLUMNS = ['venue_slug', 'city', 'state', 'country', 'postal_code', 'lat', 'lon'];
const TAXONOMY_TEXT = `replace(array_to_string(kinds.taxonomy_names, ' '), '_', ' ')`;

/** SQL for a venue document, made of its own part and its score (both SQL). */
export const VENUE_DOCUMENT = (own: string, score: string): string =>
  `(left(${own}::text, -1) || ',"score":' || ${score} || '}')::json`;

/** Performers. `facts` also needs `score` and `has_upcoming_events` as shown. */
export const PERFORMERS_DERIVED: Derived = {
  columns: [...TAXONOMY_COLUMNS, 'genre_slugs', 'primary_genre_slugs', 'kind_text', 'document'],
  query: `
    ${KINDS},
    derived as materialized (
      select facts.id, kinds.taxonomy_ids, kinds.taxonomy_names, kinds.taxonomy_parent_ids,
        genres.genre_slugs, genres.primary_genre_slugs,
        concat_ws(' ', replace(type, '_', ' '), ${TAXONOMY_TEXT}, genre_names, division_text) as kind_text,
        (left(own::text, -1) || ',"score":' || score || ',"has_upcoming_events":' || has_upcoming_events ||
         ',"taxonomies":[' || kinds.documents || '],"genres":' || genre_documents || '}')::json as document
      from facts join kinds using (own_taxonomy_ids) cross join lateral (
        select coalesce(array_agg(slug order by place), '{}') as genre_slugs,
          coalesce(array_agg(slug order by place) filter (where listed.id = any (primary_genre_ids)), '{}')
            as primary_genre_slugs,
          string_agg(name, ' ' order by place) as genre_names,
          case when genre_ids is null then 'null' else '[' || coalesce(string_agg('{"id":' || g.id || ',"name":' || to_json(name) ||
            ',"slug":' || to_json(slug) || ',"primary":' || (g.id = any (primary_genre_ids)) || '}', ',' order by place), '')
            || ']' end as genre_documents
        from unnest(genre_ids) with ordinality as listed (id, place) join discovery_genres g using (id)) as genres)`,
};

export const EVENTS_DERIVED: Derived = {
  columns: [...TAXONOMY_COLUMNS, ...VENUE_COLUMNS, 'document'],
  query: `
    ${KINDS},
    derived as materialized (
      select facts.id, kinds.taxonomy_ids, kinds.taxonomy_names, kinds.taxonomy_parent_ids,
        v.slug as venue_slug, v.city, v.state, v.country, v.postal_code, v.lat, v.lon,
        (left(facts.own::text, -1) || ',"performers":[' || performer_documents || '],"venue":' || v.document ||
         ',"taxonomies":[' || kinds.documents || ']}')::json as document
      from facts join kinds using (own_taxonomy_ids) join discovery_venues v on v.id = venue_id cross join lateral (
        select coalesce(string_agg(left(p.document::text, -1)
            || case when p.id = any (primary_performer_ids) then ',"primary":true' else '' end
            || case when p.id = any (home_team_ids) then ',"home_team":true' else '' end
            || case when p.id = any (away_team_ids) then ',"away_team":true' else '' end || '}', ',' order by place), '')
            as performer_documents
        from unnest(performer_ids) with ordinality as listed (id, place) join discovery_performers p using (id)) as performers)`,
};
