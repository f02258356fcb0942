import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders that are overdue for too long in a queue of one's own. Their rules are in `queue_escalations`, with those of the built-in queues. */
export class OwnEscalations1768095010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ESCALATIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table own_escalations');
  }
}

// An order may be in several such queues at a time. `since` is the time that its clock in the queue counts from, so with another time it
// may escalate again. The notices are those of `work_escalations`.
const ESCALATIONS = `
  create table if not exists own_escalations (
    queue text not null,
    order_id text not null,
    since timestamptz(3) not null,
    escalated_at timestamptz(3) not null,
    notify text,
    notice_id text,
    notice_until timestamptz(3),
    announced_at timestamptz(3),
    primary key (queue, order_id, since)
  );
  create index if not exists own_escalations_unannounced on own_escalations (notify, escalated_at)
    where notify is not null and announced_at is null;
  grant select, insert, update, delete on own_escalations to willcall_app;`;
