import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tickets as files: what is known of them, the key of their barcodes, and files that are to be removed. */
export class Tickets1768060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TICKETS, BARCODE_KEYS, REMOVALS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table order_tickets; drop table barcode_keys; drop table object_removals');
  }
}

// `sealed` has the name, the seat and the barcode, under the order's key. A digest is there while the ticket holds its barcode.
const TICKETS = `
  create table if not exists order_tickets (
    id text primary key,
    order_id text not null,
    event_id text not null,
    attached_at timestamptz(3) not null,
    actor text not null,
    type text not null,
    size int not null,
    sha256 bytea not null,
    sealed bytea not null,
    barcode_digest bytea,
    withdrawn_at timestamptz(3)
  );
  create index if not exists order_tickets_order_id on order_tickets (order_id);
  create unique index if not exists order_tickets_barcode on order_tickets (event_id, barcode_digest)
    where barcode_digest is not null;
  grant select, insert, update (withdrawn_at, barcode_digest) on order_tickets to willcall_app;`;

// Updated when ENCRYPTION_KEY changes: the key is sealed anew.
const BARCODE_KEYS = `
  create table if not exists barcode_keys (id text primary key, sealed bytea not null);
  grant select, insert, update on barcode_keys to willcall_app;`;

const REMOVALS = `
  create table if not exists object_removals (key text primary key, due_at timestamptz(3) not null);
  create index if not exists object_removals_due_at on object_removals (due_at);
  grant select, insert, update, delete on object_removals to willcall_app;`;
