import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which session of the OpenID provider a session comes from, and the log-outs that the provider has told of lately. */
export class OpenIdSessions1771220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SESSIONS, LOGOUTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table openid_logouts');
    await runner.query(`
      alter table sessions drop column openid_issuer, drop column openid_subject, drop column openid_sid, drop column ends_at`);
  }
}

// `ends_at` is the provider's; null where it says nothing.
const SESSIONS = `
  alter table sessions
    add column if not exists openid_issuer text,
    add column if not exists openid_subject text,
    add column if not exists openid_sid text,
    add column if not exists ends_at timestamptz(3)`;

const LOGOUTS = `
  create table if not exists openid_logouts (
    issuer text not null,
    jti text not null,
    subject text,
    sid text,
    at timestamptz(3) not null,
    primary key (issuer, jti)
  );
  grant select, insert, delete on openid_logouts to willcall_app;`;
