import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';

// How far this computer and the database server may drift apart in a second, in milliseconds.
const DRIFT_PER_SECOND_MS = 0.5;

/** The database is ahead of this process's monotonic clock by at least `least` and at most `most` milliseconds. */
type Offset = Readonly<{ least: number; most: number; readAt: number }>;

/**
 * The time of the database server, which all processes share: leases, due times and pace are written and compared with it.
 * Between two readings this process's monotonic clock carries it on, so a wrong system clock changes nothing.
 */
@Injectable()
export class DatabaseClock extends Clock {
  #offset: Offset | undefined;

  /** @param local measures the time between readings, and stands in until the first one. */
  constructor(
    @Inject(Pool) private readonly pool: Pick<Pool, 'query'>,
    @Inject(Clock) private readonly local: Clock,
  ) {
    super();
  }

  /** Whole milliseconds since the epoch. */
  override now(): number {
    if (!this.#offset) return Math.floor(this.local.now());
    const { least, most } = this.#offset;
    return Math.floor(this.local.monotonic() + (least + most) / 2);
  }

  override monotonic(): number {
    return this.local.monotonic();
  }

  /** Asks the database for its time. Call it before the first use, and then about every second. Throws what the database throws. */
  async read(): Promise<this> {
    const asked = this.local.monotonic();
    const { rows } = await this.pool.query<{ ms: number }>(READ);
    const answered = this.local.monotonic();
    const [row] = rows;
    if (row)
      this.#offset = narrowed(this.#offset, { least: row.ms - answered, most: row.ms - asked, readAt: answered });
    return this;
  }
}

/** Both readings hold as long as they overlap: a slow answer does not blur a quick one. If not, the server's clock was set. */
function narrowed(before: Offset | undefined, read: Offset): Offset {
  if (!before) return read;
  const drift = ((read.readAt - before.readAt) / 1_000) * DRIFT_PER_SECOND_MS;
  const least = Math.max(before.least - drift, read.least);
  const most = Math.min(before.most + drift, read.most);
  return least <= most ? { least, most, readAt: read.readAt } : read;
}

const READ = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms';
