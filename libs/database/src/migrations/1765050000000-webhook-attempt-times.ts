import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'webhook_attempts_started_at';

/** Finds the webhook attempts of a period. A BRIN index is enough, because attempts are written in the order of time. */
export class WebhookAttemptTimes1765050000000 implements MigrationInterface {
  // An index that is made while webhooks go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was interrupted leaves an invalid index.
    await runner.query(`drop index concurrently if exists ${NAME}`);
    await runner.query(
      `create index concurrently ${NAME} on webhook_attempts using brin (started_at) with (autosummarize = on)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index concurrently if exists ${NAME}`);
  }
}
