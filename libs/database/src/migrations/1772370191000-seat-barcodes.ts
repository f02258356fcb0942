import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The barcodes of seats, and which barcodes of an event are in use, by files or by seats. */
export class SeatBarcodes1772370191000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists used_barcodes (
        digest bytea primary key,
        order_id text not null,
        seat text,
        ticket_id text
      );
      create index if not exists used_barcodes_ticket on used_barcodes (ticket_id) where ticket_id is not null;
      insert into used_barcodes (digest, order_id, ticket_id)
      select barcode_digest, order_id, id from order_tickets where barcode_digest is not null
      on conflict do nothing;
      create table if not exists order_barcodes (
        order_id text not null,
        seat text not null,
        sealed bytea not null,
        primary key (order_id, seat)
      );
      grant select, insert, update, delete on used_barcodes, order_barcodes to willcall_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table order_barcodes, used_barcodes');
  }
}
