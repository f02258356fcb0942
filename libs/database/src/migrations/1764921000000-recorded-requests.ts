import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for each signed or staff request that may have changed something, without bodies. Old rows are pruned. */
export class RecordedRequests1764921000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table recorded_requests');
  }
}

// A transaction id can be as long as the headers of a request, and an index entry cannot.
const TABLE = `
  create table if not exists recorded_requests (
    id bigint generated always as identity primary key,
    at timestamptz(3) not null,
    transaction_id text not null,
    method text not null,
    path text not null,
    actor text not null,
    status int not null,
    duration_ms int not null
  );
  create index if not exists recorded_requests_transaction on recorded_requests (left(transaction_id, 200));
  create index if not exists recorded_requests_at on recorded_requests using brin (at);
  grant select, insert, delete on recorded_requests to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
