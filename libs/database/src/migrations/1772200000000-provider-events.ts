import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What payment providers told us, and how far their lists of events were read. */
export class ProviderEvents1772200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists provider_events (
        provider text not null,
        id text not null,
        type text not null,
        reference text,
        order_id text,
        fact jsonb not null,
        state text not null check (state in ('waiting', 'done', 'ignored', 'failed')),
        tries int not null default 0,
        error text,
        created_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        next_try_at timestamptz(3),
        primary key (provider, id)
      );
      create index if not exists provider_events_due on provider_events (next_try_at) where next_try_at is not null;
      create index if not exists provider_events_received on provider_events (received_at, provider, id);
      create index if not exists provider_events_order on provider_events (order_id) where order_id is not null;
      create index if not exists provider_events_reference on provider_events (reference) where reference is not null;
      create table if not exists provider_cursors (provider text primary key, last_event text not null);
      grant select, insert, update, delete on provider_events, provider_cursors to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table provider_events, provider_cursors');
  }
}
