import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an operator signed in last, and was enabled again: who does not sign in for long can be disabled. */
export class SignInTimes1771210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operators
        add column if not exists last_sign_in_at timestamptz(3),
        add column if not exists enabled_at timestamptz(3)`);
    await runner.query('alter table sessions add column if not exists previous_sign_in_at timestamptz(3)');
    await runner.query(KNOWN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sessions drop column previous_sign_in_at');
    await runner.query('alter table operators drop column last_sign_in_at, drop column enabled_at');
  }
}

// The audit log has the sign-ins until now.
const KNOWN = `
  update operators set last_sign_in_at = signed_in.at
  from (select subject, max(at) as at from audit_log where action = 'session.signed_in' group by subject) as signed_in
  where signed_in.subject = 'operator:' || operators.id`;
