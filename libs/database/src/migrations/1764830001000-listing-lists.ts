import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the sort orders of the back office's listings. Sales change neither column, so they remain updates within a page. */
export class ListingLists1764830001000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['created_at', 'updated_at']) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists listings_${column}`);
      await runner.query(`create index concurrently listings_${column} on listings (${column}, id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['created_at', 'updated_at']) await runner.query(`drop index concurrently listings_${column}`);
  }
}
