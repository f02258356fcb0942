import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The id was more than half of an entry in these indexes, and each purchase writes one to most of them. A search that sorts a thousand entries by
 * how their texts begin looks up their ids, which takes a millisecond; a page in the order of the list reads its rows anyway.
 */
export class IndexesWithoutIds1768095066000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
    for (const name of REPLACED) await runner.query(`drop index concurrently if exists ${name}`);
  }

  async down(): Promise<void> {
    throw new Error('Indexes were replaced: this migration has no way back.');
  }
}

const INDEXES: Readonly<Record<string, string>> = {
  orders_of_event: 'orders (event_id text_pattern_ops, placed_at)',
  orders_of_listing: 'orders (listing_id text_pattern_ops, placed_at)',
  orders_of_ref: 'orders (ref_id text_pattern_ops, placed_at)',
  orders_of_card: 'orders (card_last4 text_pattern_ops, placed_at) where card_last4 is not null',
  orders_of_total: 'orders (total_cents, placed_at)',
};

const REPLACED = ['orders_event_placed', 'orders_listing_placed', 'orders_ref_start', 'orders_card', 'orders_total'];
