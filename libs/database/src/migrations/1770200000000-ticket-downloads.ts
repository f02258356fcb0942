import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Downloads of tickets that are no events. `link` is null for staff. `further` counts what came after an order had too many rows. */
export class TicketDownloads1770200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists ticket_downloads (
        id bigint generated always as identity primary key,
        order_id text not null,
        ticket_id text not null,
        link text,
        actor text not null,
        transaction_id text not null,
        at timestamptz(3) not null,
        further int not null default 0
      );
      create index if not exists ticket_downloads_order_id on ticket_downloads (order_id, id);
      grant select, insert, update on ticket_downloads to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ticket_downloads');
  }
}
