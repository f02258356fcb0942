import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { PING_STREAM } from '../ping-stream.projection.js';

@Injectable()
export class StreamBacklog {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The age of the oldest event that the stream has not processed. 0 if there is none. */
  async oldestMs(): Promise<number> {
    const { rows } = await this.pool.query<{ recorded_at: Date }>(OLDEST, [PING_STREAM]);
    return rows[0] ? Math.max(0, this.clock.now() - rows[0].recorded_at.getTime()) : 0;
  }
}

const OLDEST = `
  select e.recorded_at from feed f join events e on e.stream = f.stream and e.position = f.stream_position
  where f.position = coalesce((select position from subscriptions where name = $1), 0) + 1`;
