import type { MigrationInterface, QueryRunner } from 'typeorm';

/** User and password of a webhook's destination, sealed. Null where it needs none. */
export class WebhookCredentials1772920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks add column if not exists credentials bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks drop column credentials');
  }
}
