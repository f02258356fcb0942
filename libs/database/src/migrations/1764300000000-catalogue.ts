import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The catalogue that the discovery API shows. Each row has the columns to filter and sort by, and the document as it is sent. */
export class Catalogue1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [KINDS, PLACES, PERFORMERS, EVENTS, STOCK, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('The catalogue is not thrown away: this migration has no way back.');
  }
}

// In all tables: `document` is wire-ready, with keys and values as the API sends them (for an exception see discovery_events). `own`
// is the row's own part of it. The rest is copied from the rows it refers to, and copied again when they change. imported_… are the
// values from an import or the back office; score and has_upcoming_events are the values shown.
const KINDS = `
  create table discovery_taxonomies (
    id int primary key,
    name text not null,
    -- 'music-festival' for 'music_festival'. Several taxonomies may have the same name and slug.
    slug text not null,
    parent_id int,
    -- The position in the tree from top to bottom, siblings by id: 1, 2, 3 …
    rank int not null default 0,
    -- Its own and its ancestors' ids and names, itself first.
    line_ids int[] not null default '{}',
    line_names text[] not null default '{}',
    -- {id, name, parent_id}
    document json not null
  );
  create index discovery_taxonomies_parent on discovery_taxonomies (parent_id);
  create table discovery_genres (
    id int primary key,
    name text not null,
    slug text not null,
    image text,
    images json,
    -- {id, name, slug, image, images}
    document json not null
  );
  create index discovery_genres_slug on discovery_genres (slug);`;

// A venue's slug is the part of its url after /venues/, or else made from its name. Two venues may share one. country and state are
// upper case if they are codes of two letters. postal_code is as given ('20500', 'M5V 3L9').
// discovery_postal_codes: code is upper case, without blanks: five digits in US, the three characters of the sorting area in CA.
const PLACES = `
  create table discovery_venues (
    id int primary key,
    name text not null,
    slug text not null,
    city text,
    state text,
    country text,
    postal_code text,
    lat double precision,
    lon double precision,
    score double precision not null,
    imported_score double precision not null,
    -- For free text: the name; and the place, with states and countries also in words.
    name_text text not null,
    place_text text not null,
    own json not null,
    document json not null
  );
  create index discovery_venues_slug on discovery_venues (slug);
  create table discovery_postal_codes (
    country text not null,
    code text not null,
    city text,
    state text,
    lat double precision not null,
    lon double precision not null,
    -- Imported codes take precedence over the bundled ones.
    imported boolean not null,
    primary key (country, code)
  );`;

const PERFORMERS = `
  create table discovery_performers (
    id int primary key,
    name text not null,
    short_name text not null,
    slug text not null,
    type text not null,
    own_taxonomy_ids int[] not null,
    -- Those of the document and all their ancestors; their names as they are; their parents' ids.
    taxonomy_ids int[] not null,
    taxonomy_names text[] not null,
    taxonomy_parent_ids int[] not null,
    -- Null when the document says "genres": null.
    genre_ids int[],
    primary_genre_ids int[] not null,
    genre_slugs text[] not null,
    primary_genre_slugs text[] not null,
    score double precision not null,
    imported_score double precision not null,
    has_upcoming_events boolean not null,
    imported_has_upcoming_events boolean not null,
    -- Whether the catalogue ever had an upcoming event of it. From then on the events decide, not the imported value.
    seen_upcoming boolean not null default false,
    -- For free text: the names; and taxonomies, genres, divisions.
    name_text text not null,
    kind_text text not null,
    -- The names of its divisions; part of kind_text.
    division_text text not null,
    own json not null,
    document json not null
  );
  create index discovery_performers_slug on discovery_performers (slug);
  create index discovery_performers_taxonomies on discovery_performers using gin (taxonomy_ids);
  create index discovery_performers_genres on discovery_performers using gin (genre_ids);`;

// Times have no zone, as the API writes them: datetime_utc and visible_until in UTC, datetime_local at the venue.
// The document lacks `stats` and `score`, which change all the time. The sender appends them from the columns, as in
// left(document::text, -1) || ',"stats":{…},"score":…}'. A null count or price is null in the answer. The document is stored apart
// (toast), so that reads and updates of other columns do not touch it. It is not compressed, because that would take a sixth of an
// import's time and some of each read. Searches use an index in memory; the indexes here are for changes that affect events.
const EVENTS = `
  create table discovery_events (
    id int primary key,
    title text not null,
    short_title text not null,
    type text not null,
    datetime_utc timestamp not null,
    datetime_local timestamp not null,
    announce_date timestamp,
    visible_until timestamp,
    -- In the order of the document. The next three columns have the performers with that flag.
    performer_ids int[] not null,
    primary_performer_ids int[] not null,
    home_team_ids int[] not null,
    away_team_ids int[] not null,
    own_taxonomy_ids int[] not null,
    -- Those of the document and all their ancestors; their names as they are; their parents' ids.
    taxonomy_ids int[] not null,
    taxonomy_names text[] not null,
    taxonomy_parent_ids int[] not null,
    venue_id int not null,
    -- The venue's, copied from its row.
    venue_slug text not null,
    city text,
    state text,
    country text,
    postal_code text,
    lat double precision,
    lon double precision,
    listing_count int,
    average_price double precision,
    lowest_price double precision,
    highest_price double precision,
    -- Whether the stats follow the listings here. Imported stats then no longer count.
    stats_from_stock boolean not null default false,
    score double precision not null,
    imported_score double precision not null,
    own json not null,
    document json not null
  ) with (toast_tuple_target = 1024);
  create index discovery_events_venue on discovery_events (venue_id);
  create index discovery_events_performers on discovery_events using gin (performer_ids);
  alter table discovery_events alter document set storage external;`;

// The events (ids as listings name them) whose stats must be computed again. Purchases are found in the feed, so they do no extra
// work: their update sets only `available`, for which the trigger does not fire.
const STOCK = `
  create table discovery_changed_stock (
    id bigint generated always as identity primary key,
    event_id text not null
  );
  create function discovery_note_changed_listing() returns trigger language plpgsql as $$
  begin
    insert into discovery_changed_stock (event_id) values (new.event_id);
    if tg_op = 'UPDATE' and old.event_id <> new.event_id then
      insert into discovery_changed_stock (event_id) values (old.event_id);
    end if;
    return null;
  end $$;
  create trigger discovery_stats_follow after insert or update of terms, offered, withdrawn_at on listings
    for each row execute function discovery_note_changed_listing();
  insert into discovery_changed_stock (event_id) select distinct event_id from listings;`;

const GRANTS = `
  grant select, insert, update, delete on discovery_taxonomies, discovery_genres, discovery_venues, discovery_postal_codes,
    discovery_performers, discovery_events, discovery_changed_stock to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
