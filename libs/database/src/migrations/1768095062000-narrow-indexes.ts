import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Smaller indexes for what each purchase writes. An index keeps the order's id only where a search reads many entries of it; where it
 * reads a page, the rows of the page are read anyway. Orders are found by how their id begins through the primary key.
 */
export class NarrowIndexes1768095062000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
    for (const name of REPLACED) await runner.query(`drop index concurrently if exists ${name}`);
    // Requests are found by transaction and removed by age, never by their id.
    await runner.query('alter table recorded_requests drop constraint if exists recorded_requests_pkey');
  }

  async down(): Promise<void> {
    throw new Error('Indexes were replaced: this migration has no way back.');
  }
}

const INDEXES: Readonly<Record<string, string>> = {
  orders_of_client: 'orders (client_id, placed_at)',
  personal_data_without_email: 'personal_data_keys (placed_at) where email_digest is null',
  personal_data_without_phone: 'personal_data_keys (placed_at) where phone_digest is null',
  personal_data_without_last_name: 'personal_data_keys (placed_at) where last_name_digest is null',
  // A transaction id is 36 random characters, its hash four bytes. So few pages of the index change between two checkpoints.
  recorded_requests_transaction_hash: 'recorded_requests (hashtext(transaction_id))',
};

const REPLACED = [
  'orders_id_start',
  'orders_client',
  'personal_data_no_email',
  'personal_data_no_phone',
  'personal_data_no_last_name',
  'recorded_requests_transaction',
];
