import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Evidence packs as they were first made: archives, sealed with the order's key if it has one. */
export class DisputePacks1772360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists dispute_packs (
        order_id text not null,
        dispute_id text not null,
        as_of timestamptz(3) not null,
        is_sealed boolean not null,
        masked bytea not null,
        clear bytea not null,
        primary key (order_id, dispute_id)
      );
      alter table dispute_packs alter column masked set storage external, alter column clear set storage external;
      grant select, insert, update, delete on dispute_packs to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table dispute_packs');
  }
}
