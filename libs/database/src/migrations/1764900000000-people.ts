import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators, their sessions and failed sign-ins, API tokens, and the audit log. */
export class People1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [OPERATORS, SESSIONS, SIGN_IN_FAILURES, API_TOKENS, AUDIT_LOG, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop function append_audit; drop table audit_log, api_tokens, sign_in_failures, sessions, operators',
    );
  }
}

// A removed operator keeps its row: history names people by it. Its e-mail address can be used again.
const OPERATORS = `
  create table if not exists operators (
    id text primary key,
    email text not null,
    name text not null,
    roles text[] not null,
    sellers text[],
    state text not null check (state in ('active', 'disabled', 'removed')),
    password_hash text,
    totp_secret bytea,
    totp_pending bytea,
    totp_last_step bigint not null default 0,
    invite_digest bytea,
    invite_expires_at timestamptz(3),
    created_at timestamptz(3) not null
  );
  create unique index if not exists operators_email on operators (lower(email)) where state <> 'removed';
  create unique index if not exists operators_invite on operators (invite_digest) where invite_digest is not null;`;

const SESSIONS = `
  create table if not exists sessions (
    digest bytea primary key,
    operator_id text not null references operators (id),
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    address text not null
  );
  create index if not exists sessions_operator on sessions (operator_id);
  create index if not exists sessions_created on sessions (created_at);`;

// The subject is a person (a digest of the e-mail address, known here or not) or an address.
const SIGN_IN_FAILURES = `
  create table if not exists sign_in_failures (
    id bigint generated always as identity primary key,
    subject text not null,
    at timestamptz(3) not null
  );
  create index if not exists sign_in_failures_subject on sign_in_failures (subject, at);
  create index if not exists sign_in_failures_at on sign_in_failures (at);`;

const API_TOKENS = `
  create table if not exists api_tokens (
    id text primary key,
    name text not null,
    digest bytea not null unique,
    scopes text[] not null,
    created_at timestamptz(3) not null,
    created_by text not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3)
  );`;

// Each entry's hash covers the entry and the hash before it. The function takes a lock first, so that the chain has one order;
// its second statement sees what was committed before it got the lock.
const AUDIT_LOG = `
  create table if not exists audit_log (
    position bigint primary key,
    id text not null unique,
    entry text not null,
    at timestamptz(3) not null,
    actor text not null,
    action text not null,
    subject text not null,
    hash bytea not null
  );
  create index if not exists audit_log_actor on audit_log (actor, position desc);
  create index if not exists audit_log_action on audit_log (action, position desc);
  create index if not exists audit_log_subject on audit_log (subject, position desc);
  create index if not exists audit_log_at on audit_log (at);
  create or replace function append_audit(new_id text, new_entry text) returns void language plpgsql as $$
  declare
    last record;
  begin
    perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
    select position, hash into last from audit_log order by position desc limit 1;
    insert into audit_log (position, id, entry, at, actor, action, subject, hash)
    select coalesce(last.position, 0) + 1, new_id, new_entry, (e ->> 'at')::timestamptz, e ->> 'actor', e ->> 'action',
      e ->> 'subject', sha256(coalesce(last.hash, sha256('')) || convert_to(new_id || new_entry, 'UTF8'))
    from (select new_entry::jsonb) as parsed (e);
  end $$;`;

// The role that serves requests cannot change or remove an entry of the audit log.
const RIGHTS = `
  grant select, insert, update on operators, api_tokens to willcall_app;
  grant select, insert, update, delete on sessions, sign_in_failures to willcall_app;
  grant select, insert on audit_log to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
