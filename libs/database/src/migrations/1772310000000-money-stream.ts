import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What webhooks tell of refunds and disputes. The position is that of the event in the feed, as in the ping stream. */
export class MoneyStream1772310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists money_stream (
        position bigint primary key,
        id text not null,
        order_id text not null,
        type text not null,
        occurred_at timestamptz(3) not null,
        transaction_id text not null,
        data jsonb not null
      );
      create index if not exists money_stream_by_order on money_stream (order_id);
      grant select, insert on money_stream to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table money_stream');
  }
}
