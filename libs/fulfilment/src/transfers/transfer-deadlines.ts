import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { catalogueIdSql } from '#discovery/catalogue-id';

const HOUR_MS = 3_600_000;

/** Until when a buyer can accept what is sent now. */
@Injectable()
export class TransferDeadlines {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** ISO 8601: at most the start of the show, unless that is over. */
  async acceptBy(eventId: string): Promise<string> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<{ starts_at: Date | null }>(STARTS_AT, [eventId]);
    const start = rows[0]?.starts_at?.getTime() ?? Infinity;
    const until = now + this.settings.TRANSFER_ACCEPT_HOURS * HOUR_MS;
    return new Date(start > now ? Math.min(until, start) : until).toISOString();
  }
}

const STARTS_AT = `
  select e.datetime_utc at time zone 'UTC' as starts_at from discovery_events e where e.id = ${catalogueIdSql('$1::text')}`;
