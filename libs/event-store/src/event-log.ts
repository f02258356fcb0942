import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventArchive } from './event-archive.js';
import type { Metadata } from './event.js';

/** `global_position` is null until the feed contains the event. */
export type LoggedEvent = Readonly<{
  position: number;
  global_position: number | null;
  event_id: string;
  type: string;
  data: object;
  metadata: Metadata;
  recorded_at: string;
  hash: string;
}>;

type LoggedRow = Omit<LoggedEvent, 'recorded_at'> & Readonly<{ stream: string; recorded_at: Date }>;

// An event reaches the feed within 50 ms. A reader waits for that instead of getting it without its position.
const WAIT_FOR_FEED_MS = 500;
const LOOK_EVERY_MS = 10;

@Injectable()
export class EventLog {
  constructor(
    private readonly pool: Pool,
    private readonly archive: EventArchive,
  ) {}

  async stream(name: string): Promise<LoggedEvent[]> {
    for (let waited = 0; ; waited += LOOK_EVERY_MS) {
      const { rows } = await this.pool.query<LoggedRow>(
        `select e.stream, e.position, f.position as global_position, e.event_id, e.type, e.data, e.metadata, e.recorded_at,
           encode(e.hash, 'hex') as hash
         from events e left join feed f on f.stream = e.stream and f.stream_position = e.position
         where e.stream = $1 order by e.position`,
        [name],
      );
      const complete = rows.every(({ global_position }) => global_position !== null);
      if (complete || waited >= WAIT_FOR_FEED_MS) {
        const whole = await this.archive.complete(this.pool, rows);
        return whole.map(({ stream: _stream, ...row }) => ({ ...row, recorded_at: row.recorded_at.toISOString() }));
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}
