import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Brokers do not see orders under review, so the work items of these have no seller. */
export class UnseenReviews1770100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever writes these rows holds this lock (`lockWorkItems`). The worker tries again a moment later.
    await runner.query('select pg_advisory_xact_lock(98509666294817544)');
    await runner.query(`update work_items set seller = null where queue = 'review' and seller is not null`);
  }

  async down(): Promise<void> {
    // The version before writes the seller again when an order changes.
  }
}
