import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The id of the order and that of its client were most of these indexes. A page sorts the few orders of one millisecond itself, and reads its rows
 * anyway. It runs while purchases go on. Processes of the last release find orders of a client through the list by time until they are replaced.
 */
export class SmallerOrderIndexes1772940000000 implements MigrationInterface {
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
  orders_by_placing: 'orders (placed_at)',
  orders_by_change: 'orders (updated_at)',
  orders_by_client: 'orders (hashtext(client_id), placed_at)',
  orders_in_queue: 'orders (queue, placed_at) where queue is not null',
  orders_in_status: `orders (status, placed_at) where status <> 'confirmed'`,
};

const REPLACED = ['orders_placed_at', 'orders_updated_at', 'orders_of_client', 'orders_queue', 'orders_status'];
