import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';

// A shortage that nobody has tried for so many turns is forgotten: no refund is left that could show its end.
const TURNS = 3;

/** Which payment providers have no money for refunds. All processes know it, and one of them tries again once in `PAYMENT_SWEEP_MS`. */
@Injectable()
export class ProviderShortages {
  private readonly everyMs: number;

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    { PAYMENT_SWEEP_MS: everyMs }: Settings,
  ) {
    this.everyMs = everyMs;
  }

  /** Whether the provider may be asked for a refund. While it is short, one caller in each turn may. */
  async mayTry(provider: string): Promise<'yes' | 'turn' | 'no'> {
    const { rows } = await this.pool.query<{ turn: boolean }>({
      name: 'provider-shortage-turn',
      text: `with turn as (
          update provider_shortages set tried_at = $2 where provider = $1 and tried_at <= $3 returning provider)
        select exists (select from turn) as turn from provider_shortages where provider = $1`,
      values: [provider, this.clock.iso(), this.before(1)],
    });
    if (!rows[0]) return 'yes';
    return rows[0].turn ? 'turn' : 'no';
  }

  async began(provider: string): Promise<void> {
    await this.pool.query(
      `insert into provider_shortages (provider, since, tried_at) values ($1, $2, $2)
       on conflict (provider) do update set tried_at = excluded.tried_at`,
      [provider, this.clock.iso()],
    );
  }

  /** The provider has made a refund. */
  async ended(provider: string): Promise<void> {
    await this.pool.query({
      name: 'provider-shortage-ended',
      text: 'delete from provider_shortages where provider = $1',
      values: [provider],
    });
  }

  /** Whether more refunds may be asked for. `full`: as many as `most` orders have one that their provider has not got. */
  async room(most: number): Promise<'free' | 'full' | 'short'> {
    const { rows } = await this.pool.query<{ short: boolean; full: boolean }>({
      name: 'room-for-refunds',
      text: `select exists (select from provider_shortages where tried_at > $1) as short,
        (select count(*) from (
          select from orders where payment_due_at <= $2 and payment_step = 'refund' limit $3) as waiting) = $3 as full`,
      values: [this.before(TURNS), this.clock.iso(), most],
    });
    if (rows[0]?.short) return 'short';
    return rows[0]?.full ? 'full' : 'free';
  }

  private before(turns: number): string {
    return new Date(this.clock.now() - turns * this.everyMs).toISOString();
  }
}
