import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Receivers of the ping stream, the deliveries to each, and their attempts. */
export class Webhooks1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [WEBHOOKS, DELIVERIES, NOTICES, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table webhooks, webhook_secrets, webhook_deliveries, webhook_attempts, webhook_leases,
      operational_notices`);
  }
}

// `position` is how far the webhook has ingested the ping stream. `version` shows a worker that the terms have changed.
const WEBHOOKS = `
  create table webhooks (
    id text primary key,
    url text not null,
    description text,
    statuses text[],
    event_types text[],
    rate_per_second int not null check (rate_per_second > 0),
    state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
    disabled_reason text,
    version int not null default 1,
    from_position bigint not null,
    position bigint not null,
    breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half_open')),
    failures int not null default 0,
    openings int not null default 0,
    open_until timestamptz(3),
    paced_until timestamptz(3),
    recovering boolean not null default false,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  ) with (fillfactor = 50);
  create table webhook_secrets (
    id text primary key,
    webhook_id text not null references webhooks (id) on delete cascade,
    secret bytea not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3)
  );
  create index webhook_secrets_webhook on webhook_secrets (webhook_id);`;

// Without a foreign key, because the deliveries of a removed webhook are deleted in small steps. A delivery that waits behind another
// of its order has that one's next_try_at, so the index of due deliveries has few others. The two indexes of pending deliveries have
// different conditions for the same rows, so a query chooses its index by its wording. Leases are worthless after a crash.
const DELIVERIES = `
  create table webhook_deliveries (
    webhook_id text not null,
    position bigint not null,
    order_id text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'parked')),
    tries int not null default 0,
    attempts int not null default 0,
    due_since timestamptz(3),
    next_try_at timestamptz(3),
    created_at timestamptz(3) not null,
    delivered_at timestamptz(3),
    primary key (webhook_id, position),
    check ((state = 'pending') = (next_try_at is not null))
  );
  create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at, position) where state = 'pending';
  create index webhook_deliveries_order on webhook_deliveries (webhook_id, order_id, position)
    where next_try_at is not null;
  create index webhook_deliveries_parked on webhook_deliveries (webhook_id, position) where state = 'parked';
  create table webhook_attempts (
    webhook_id text not null,
    position bigint not null,
    attempt int not null,
    url text not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    http_status int,
    error text,
    answer text,
    primary key (webhook_id, position, attempt)
  );
  create unlogged table webhook_leases (
    webhook_id text primary key,
    fence bigint not null,
    leased_until timestamptz(3) not null,
    rung boolean not null default false
  );`;

const NOTICES = `
  create table operational_notices (
    id bigint generated always as identity primary key,
    kind text not null,
    subject text not null,
    message text not null,
    created_at timestamptz(3) not null
  );
  create index operational_notices_subject on operational_notices (subject, id);`;

const GRANTS = `
  grant select, insert, update, delete on webhooks, webhook_secrets, webhook_deliveries, webhook_attempts, webhook_leases
    to willcall_app;
  grant select, insert on operational_notices to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
