import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A transaction id may be as long as a header, but an entry of a btree index only 2,704 bytes. So the index covers the start. */
export class LongTransactionIds1764830000000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Longer transaction ids may have been stored: this migration has no way back.');
  }
}

// An attempt that was interrupted leaves an invalid index, so each step first removes what the last attempt left.
const STATEMENTS = [
  'drop index concurrently if exists orders_transaction_start',
  'create index concurrently orders_transaction_start on orders (left(transaction_id, 200) text_pattern_ops)',
  'drop index concurrently if exists orders_transaction',
  'drop index concurrently if exists sandbox_pings_of_order',
  'create index concurrently sandbox_pings_of_order on sandbox_pings (order_id) where signature_valid',
  'drop index concurrently if exists sandbox_pings_order',
];
