import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The traces that deliveries continue. Null for what was appended while none was recorded. */
export class Traceparents1772970000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} add column if not exists traceparent text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column traceparent`);
  }
}

const TABLES = ['pings', 'money_stream', 'sandbox_pings'];
