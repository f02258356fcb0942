import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When passes have changed, and which devices have them. Both end with the key of the buyer's data. */
export class WalletPasses1772500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists passes (
        serial text primary key,
        order_id text not null references personal_data_keys on delete cascade,
        digest bytea not null,
        modified_at timestamptz(3) not null,
        ticket_id text
      );
      create index if not exists passes_order on passes (order_id);
      create table if not exists pass_registrations (
        device bytea not null,
        serial text not null references passes on delete cascade,
        registered_at timestamptz(3) not null,
        primary key (device, serial)
      );
      create index if not exists pass_registrations_serial on pass_registrations (serial);
      grant select, insert, update, delete on passes, pass_registrations to willcall_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pass_registrations, passes');
  }
}
