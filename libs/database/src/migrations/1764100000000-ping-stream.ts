import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every ping that was due, in the order of the feed, and the tokens that integrations read it with. */
export class PingStream1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PING_STREAM, STREAM_TOKENS, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ping_stream, stream_tokens; delete from subscriptions where name = 'ping-stream'`);
  }
}

// The position is that of the status event in the feed.
const PING_STREAM = `
  create table ping_stream (
    position bigint primary key,
    id text not null,
    order_id text not null,
    sequence int not null,
    ref_id text,
    status text not null,
    status_code int not null,
    status_message text not null,
    occurred_at timestamptz(3) not null,
    transaction_id text not null,
    event_id text not null,
    listing_id text not null,
    client_id text not null,
    unique (order_id, sequence)
  );`;

const STREAM_TOKENS = `
  create table stream_tokens (
    id text primary key,
    name text not null,
    digest bytea not null unique,
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    last_used_at timestamptz(3)
  );`;

// What a reader has seen at a position stays there: entries are only ever added.
const GRANTS = `
  grant select, insert on ping_stream to willcall_app;
  grant select, insert, update on stream_tokens to willcall_app;`;
