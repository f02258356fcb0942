import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links an operator to a person of the OpenID provider. A removed operator keeps the link and so cannot come back as a new one. */
export class OpenIdOperators1765031000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operators
        add column if not exists openid_issuer text,
        add column if not exists openid_subject text`);
    await runner.query(`
      create unique index if not exists operators_openid on operators (openid_issuer, openid_subject)
      where openid_subject is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operators drop column openid_issuer, drop column openid_subject');
  }
}
