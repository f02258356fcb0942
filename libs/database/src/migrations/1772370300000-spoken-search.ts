import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes by what callers say: how an e-mail address begins, the end of an order's id, a show, a seat. It runs while purchases go on. */
export class SpokenSearch1772370300000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMN, RIGHTS, FORGET, TRIGGER, SHOW_WORDS, LISTING_PLACE]) await runner.query(sql);
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
    await runner.query('drop index concurrently if exists personal_data_to_fold');
  }

  async down(): Promise<void> {
    throw new Error('An index was replaced: this migration has no way back.');
  }
}

// Empty if nothing can be found by it, and null until a worker has made it.
const COLUMN = 'alter table personal_data_keys add column if not exists email_start bytea';

const RIGHTS = 'grant update (email_start) on personal_data_keys to willcall_app';

const FORGET = `
  create or replace function forget_email_start() returns trigger language plpgsql as $$
  begin
    new.email_start := null;
    return new;
  end $$`;

// Processes of the version before correct buyers too, and do not know the column.
const TRIGGER = `
  create or replace trigger forget_email_start
  before update of email_digest on personal_data_keys
  for each row when (new.email_digest is distinct from old.email_digest
    and new.email_start is not distinct from old.email_start)
  execute function forget_email_start()`;

const SHOW_WORDS = `
  create or replace function show_words(title text) returns tsvector language sql immutable parallel safe as $$
    select to_tsvector('simple', regexp_replace(
      regexp_replace(normalize(lower(title), NFKD), '[\\u0300-\\u036f]', '', 'g'),
      '[!-/:-@\\[-\`{-~\\u00b7\\u2010-\\u201f]', ' ', 'g'))
  $$`;

// `asked-places.ts` folds what somebody types in the same way.
const LISTING_PLACE = `
  create or replace function listing_place(terms json) returns text language sql immutable parallel safe as $$
    select btrim(regexp_replace(
      regexp_replace(lower((terms ->> 'section') || ' ' || (terms ->> 'row')), '\\m(section|sec|row)\\M', ' ', 'g'),
      '[\\s.,:;/·]+', ' ', 'g'))
  $$`;

const INDEXES: Readonly<Record<string, string>> = {
  personal_data_of_email_start: `personal_data_keys (email_start) where email_start > '\\x'`,
  personal_data_unfolded: 'personal_data_keys (order_id) where folded_at is null or email_start is null',
  orders_of_id_end: 'orders (right(id, 6))',
  listings_of_place: 'listings (listing_place(terms) text_pattern_ops)',
  listings_of_seat: `listings using gin ((terms::jsonb -> 'seats')) where (terms -> 'seats') is not null`,
  discovery_events_of_words: 'discovery_events using gin (show_words(title))',
};
