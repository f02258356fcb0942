import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the worker does next about an order's money, and what the sandbox remembers of a payment. Orders of before have `null` here: their
 * payments count as taken.
 */
export class PaymentSteps1772000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table orders add column if not exists payment_step text,
        add column if not exists payment_due_at timestamptz(3);
      alter table sandbox_payments add column if not exists currency text not null default 'USD',
        add column if not exists plays text,
        add column if not exists captured_cents bigint,
        add column if not exists captured_at timestamptz(3);
      create table if not exists sandbox_refunds (
        id text primary key,
        order_id text not null,
        refund_id text not null,
        amount_cents bigint not null,
        created_at timestamptz(3) not null
      );
      create index if not exists sandbox_refunds_by_order on sandbox_refunds (order_id);
      create table if not exists sandbox_disputes (
        id text primary key,
        order_id text not null,
        state text not null,
        changed_at timestamptz(3) not null
      );
      grant select, insert, update, delete on sandbox_refunds, sandbox_disputes to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sandbox_refunds, sandbox_disputes;
      alter table orders drop column payment_step, drop column payment_due_at;
      alter table sandbox_payments drop column currency, drop column plays, drop column captured_cents, drop column captured_at;`);
  }
}
