import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';

@Injectable()
export class FeedBacklog {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The age of the oldest event that is not in the feed yet. 0 if there is none. */
  async oldestMs(): Promise<number> {
    const { rows } = await this.pool.query<{ recorded_at: Date }>('select recorded_at from outbox order by id limit 1');
    return rows[0] ? Math.max(0, this.clock.now() - rows[0].recorded_at.getTime()) : 0;
  }
}
