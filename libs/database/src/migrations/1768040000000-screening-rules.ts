import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies and fraud rules, and the digests by which fraud rules count purchases. */
export class ScreeningRules1768040000000 implements MigrationInterface {
  // Indexes of a table that is in use are built beside it.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...TABLE, ...DIGESTS, ...INDEXES]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`create index if not exists personal_data_email on personal_data_keys (email_digest)
      where email_digest is not null`);
    await runner.query('drop index if exists personal_data_email_placed');
    await runner.query('alter table personal_data_keys drop column address_digest, drop column card_digest');
    await runner.query('drop table screening_rules');
  }
}

// Earlier versions stay as they were. A list is sealed, because a condition may name a buyer.
const TABLE = [
  `create table if not exists screening_rules (
    id text primary key,
    kind text not null,
    version int not null,
    sealed bytea not null,
    saved_by text not null,
    saved_at timestamptz(3) not null,
    unique (kind, version)
  )`,
  'grant select, insert, update (sealed) on screening_rules to willcall_app',
];

// Both stay null as long as no fraud rule is enabled.
const DIGESTS = [
  `alter table personal_data_keys add column if not exists address_digest bytea,
    add column if not exists card_digest bytea`,
];

// The purchases of an e-mail address in a day are read without those of other days. It replaces the index without the time.
const INDEXES = [
  'drop index concurrently if exists personal_data_email_placed',
  `create index concurrently personal_data_email_placed on personal_data_keys (email_digest, placed_at)
    where email_digest is not null`,
  'drop index concurrently if exists personal_data_email',
  'drop index concurrently if exists personal_data_address',
  `create index concurrently personal_data_address on personal_data_keys (address_digest, placed_at)
    where address_digest is not null`,
  'drop index concurrently if exists personal_data_card',
  `create index concurrently personal_data_card on personal_data_keys (card_digest, placed_at)
    where card_digest is not null`,
];
