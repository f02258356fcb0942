import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Sealer } from '#base/sealing';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { catalogueIdSql } from '#discovery/catalogue-id';

const DAY_MS = 24 * 3_600_000;

/** Signed addresses of the page with all tickets of an order. They open until a day after the show, wherever it moves. */
@Injectable()
export class OrderPageLinks {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  url(orderId: string): string {
    const signature = this.sealer.digest('ticket-link', signedText(orderId)).toString('base64url');
    return `${this.settings.PUBLIC_URL}/tickets/orders/${orderId}?signature=${signature}`;
  }

  isValid(orderId: string, signature: string): boolean {
    return this.sealer.isDigest('ticket-link', signedText(orderId), Buffer.from(signature, 'base64url'));
  }

  /** How long the page still opens, in minutes. At most 0: no longer. Null: the catalogue has no such show. */
  async minutesLeft(eventId: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ starts_at: Date | null }>(STARTS_AT, [eventId]);
    const start = rows[0]?.starts_at;
    return start ? Math.ceil((start.getTime() + DAY_MS - this.clock.now()) / 60_000) : null;
  }
}

const signedText = (orderId: string) => JSON.stringify(['order', orderId]);

const STARTS_AT = `
  select e.datetime_utc at time zone 'UTC' as starts_at from discovery_events e where e.id = ${catalogueIdSql('$1::text')}`;
