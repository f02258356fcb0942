import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sellers name their listings by ids of their own. Listings without a seller count as those of one. */
export class ListingsByExternalId1772370000000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists listings_by_external_id');
    await runner.query(`
      create unique index concurrently listings_by_external_id
      on listings ((terms ->> 'externalId'), coalesce(terms ->> 'seller', ''))
      where (terms ->> 'externalId') is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists listings_by_external_id');
  }
}
