import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who made the account of an operator, or gave it a password, and when: for a day that counts as the same person. */
export class OperatorAccess1771000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, INVITERS, RECENT]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table operator_access; alter table operators drop column invited_by');
  }
}

const TABLE = `
  create table if not exists operator_access (
    operator_id text not null references operators (id),
    given_by text not null,
    given_at timestamptz(3) not null,
    primary key (operator_id, given_by)
  );
  grant select, insert, update, delete on operator_access to willcall_app;`;

// Whoever has made an invitation may have kept it, so its password counts as theirs.
const INVITERS = `
  alter table operators add column if not exists invited_by text;
  update operators set invited_by = (
    select actor from audit_log
    where subject = 'operator:' || operators.id and action in ('operator.created', 'operator.reset')
    order by position desc limit 1)
  where invite_digest is not null;`;

const RECENT = `
  insert into operator_access (operator_id, given_by, given_at)
  select substr(subject, 10), actor, max(at) from audit_log
  where at > now() - interval '24 hours' and action in ('operator.created', 'operator.reset')
    and substr(subject, 10) in (select id from operators)
  group by 1, 2
  on conflict do nothing;`;
