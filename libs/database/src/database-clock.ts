import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';

// The most that the clocks of this computer and the database server may drift apart per second.
const DRIFT_PER_SECOND_MS = 0.5;

/** By how many milliseconds the database may be ahead of this process's monotonic clock. */
type Offset = Readonly<{ least: number; most: number; readAt: number }>;

/** All processes share this time. Between two readings it advances with the monotonic clock, so a wrong system clock does no harm. */
@Injectable()
export class DatabaseClock extends Clock {
  #offset: Offset | undefined;

  /** @param local measures the time between readings, and gives the time before the first one */
  constructor(
    @Inject(Pool) private readonly pool: Pick<Pool, 'query'>,
    @Inject(Clock) private readonly local: Clock,
  ) {
    super();
  }

  override now(): number {
    if (!this.#offset) return Math.floor(this.local.now());
    const { least, most } = this.#offset;
    return Math.floor(this.local.monotonic() + (least + most) / 2);
  }

  override monotonic(): number {
    return this.local.monotonic();
  }

  /** Call it before the first use and then about once a second. Throws the database's error. */
  async read(): Promise<this> {
    const sentAt = this.local.monotonic();
    const { rows } = await this.pool.query<{ ms: number }>(READ);
    const receivedAt = this.local.monotonic();
    const [row] = rows;
    if (row)
      this.#offset = narrowed(this.#offset, { least: row.ms - receivedAt, most: row.ms - sentAt, readAt: receivedAt });
    return this;
  }
}

/** Intersects two readings, so a slow answer does not blur a quick one. If they do not overlap, the server's clock was set. */
function narrowed(before: Offset | undefined, read: Offset): Offset {
  if (!before) return read;
  const drift = ((read.readAt - before.readAt) / 1_000) * DRIFT_PER_SECOND_MS;
  const least = Math.max(before.least - drift, read.least);
  const most = Math.min(before.most + drift, read.most);
  return least <= most ? { least, most, readAt: read.readAt } : read;
}

const READ = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms';
