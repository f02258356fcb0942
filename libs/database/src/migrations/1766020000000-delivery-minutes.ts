import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Delivery minute by minute, and the platform's answer to each attempt. */
export class DeliveryMinutes1766020000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MINUTES, ANSWERS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table if exists delivery_minutes; alter table ping_attempts drop column if exists answer');
  }
}

// `attempts`, `delivered` and `durations` are null until the minute is over: they can be counted again from the attempts. The other three
// are null if no worker looked. `endpoint` is `platform` or the id of a webhook.
const MINUTES = `
  create table if not exists delivery_minutes (
    minute timestamptz(0) not null,
    endpoint text not null,
    attempts int,
    delivered int,
    durations int[],
    pending int,
    parked int,
    oldest_s int,
    primary key (minute, endpoint)
  );
  grant select, insert, update, delete on delivery_minutes to willcall_app;`;

const ANSWERS = 'alter table ping_attempts add column if not exists answer text;';
