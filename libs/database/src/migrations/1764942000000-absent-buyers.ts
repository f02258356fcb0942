import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of orders whose buyer is unknown: without personal data, or without an e-mail address, phone number or last name in it. */
export class AbsentBuyers1764942000000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index concurrently ${name}`);
  }
}

const INDEXES: Readonly<Record<string, string>> = {
  orders_no_buyer: 'orders (placed_at, id) where personal is null',
  personal_data_no_email: 'personal_data_keys (placed_at, order_id) where email_digest is null',
  personal_data_no_phone: 'personal_data_keys (placed_at, order_id) where phone_digest is null',
  personal_data_no_last_name: 'personal_data_keys (placed_at, order_id) where last_name_digest is null',
};
