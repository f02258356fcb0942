import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of the public discovery API, and how much each is used. */
export class DiscoveryKeys1764310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [KEYS, USAGE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Keys that were given out are not taken back: this migration has no way back.');
  }
}

// A secret is random and long, so its SHA-256 cannot be reversed and needs no encryption key.
const KEYS = `
  create table discovery_keys (
    client_id text primary key,
    name text not null,
    secret_digest bytea,
    -- Requests a second; null is the setting DISCOVERY_RATE_PER_SECOND.
    rate_per_second int check (rate_per_second > 0),
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  );`;

// One row for each key and day (UTC). throttled counts the requests that were answered 429.
const USAGE = `
  create table discovery_key_usage (
    client_id text not null references discovery_keys,
    day date not null,
    requests bigint not null,
    throttled bigint not null,
    primary key (client_id, day)
  );`;

const GRANTS = `
  grant select, insert, update on discovery_keys, discovery_key_usage to willcall_app;`;
