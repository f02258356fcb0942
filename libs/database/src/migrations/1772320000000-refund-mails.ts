import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An order may have several refunds, and each has a mail of its own. */
export class RefundMails1772320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mails add column if not exists refund_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mails drop column refund_id');
  }
}
