import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for each `Idempotency-Key` of the back office, with the first answer. Rows are pruned after a day. */
export class IdempotencyKeys1769500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotency_keys');
  }
}

// `request` is a keyed digest of method, target and body; null while a streamed body is on its way. `leased_until` is null once there is an answer.
// `orders` are those whose buyers the answer may name.
const TABLE = `
  create table if not exists idempotency_keys (
    id text primary key,
    request bytea,
    fence uuid not null default gen_random_uuid(),
    created_at timestamptz not null default clock_timestamp(),
    leased_until timestamptz,
    answer bytea,
    orders text[] not null,
    erased boolean not null default false
  );
  create index if not exists idempotency_keys_created on idempotency_keys (created_at);
  create index if not exists idempotency_keys_orders on idempotency_keys using gin (orders);
  grant select, insert, update, delete on idempotency_keys to willcall_app;`;
