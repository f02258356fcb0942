import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['account_mails', 'report_subscriptions', 'work_escalations', 'own_escalations'];

/** How often a mail was tried, as `mails` has it: all mails are tried again, and given up, after the same times. */
export class MailAttempts1771230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`alter table ${table} add column if not exists attempts int not null default 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column attempts`);
  }
}
