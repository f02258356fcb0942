import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A run that was cancelled while the process died left its event closed, and nothing opened it again. */
export class ReopenedEvents1769200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REOPEN);
  }

  async down(): Promise<void> {
    // Who closed these events took it back.
  }
}

const REOPEN = `
  delete from cancelled_events closed using jobs
  where jobs.id = closed.job_id and jobs.state = 'cancelled' and not exists (
    select from jobs other where other.kind = 'cancel_event' and other.undoes is null
      and other.state in ('running', 'paused', 'done') and other.selection ->> 'event_id' = closed.event_id)`;
