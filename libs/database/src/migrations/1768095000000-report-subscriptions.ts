import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports that operators get by e-mail. */
export class ReportSubscriptions1768095000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SUBSCRIPTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table report_subscriptions');
  }
}

// `sent_to` is the end of the newest period whose report was sent, or that was over when the operator subscribed.
const SUBSCRIPTIONS = `
  create table if not exists report_subscriptions (
    operator_id text not null,
    schedule text not null check (schedule in ('daily', 'weekly')),
    sent_to timestamptz(3) not null,
    lease_until timestamptz(3),
    primary key (operator_id, schedule)
  );
  grant select, insert, update, delete on report_subscriptions to willcall_app;`;
