import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What all workers share about the receiver of pings. */
export class PingEndpoints1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ENDPOINTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ping_endpoints');
  }
}

// There is one endpoint. While its breaker is half open, open_until is when another worker may send a probe.
const ENDPOINTS = `
  create table ping_endpoints (
    endpoint text primary key,
    breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half_open')),
    failures int not null default 0,
    openings int not null default 0,
    open_until timestamptz(3),
    paced_until_ms double precision not null default 0,
    check ((breaker = 'closed') = (open_until is null))
  );
  insert into ping_endpoints (endpoint) values ('platform');
  grant select, update on ping_endpoints to willcall_app;`;
