import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { poolOnlyReads } from '#database/session';

/** A killed process loses at most the counts of this period. Each flush is one statement. */
export const FLUSH_EVERY_MS = 3_000;

const DAY_MS = 86_400_000;

type Counts = { requests: number; throttled: number };

@Injectable()
export class DiscoveryKeyUsage {
  #counts = new Map<number, Map<string, Counts>>();
  #flushing: Promise<void> = Promise.resolve();
  readonly #log = new Logger('DiscoveryKeyUsage');

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  count(clientId: string, outcome: { throttled: boolean }): void {
    if (poolOnlyReads(this.pool)) return;
    const counts = countsOf(this.#counts, Math.floor(this.clock.now() / DAY_MS), clientId);
    counts.requests += 1;
    if (outcome.throttled) counts.throttled += 1;
  }

  /** Never rejects. If writing fails, the next flush writes these counts too. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const taken = this.#counts;
    if (taken.size === 0) return;
    this.#counts = new Map();
    try {
      await this.pool.query({ name: 'add-discovery-usage', text: ADD, values: columnsOf(taken) });
    } catch (error) {
      for (const [day, keys] of taken) {
        for (const [clientId, { requests, throttled }] of keys) {
          const counts = countsOf(this.#counts, day, clientId);
          counts.requests += requests;
          counts.throttled += throttled;
        }
      }
      this.#log.warn(`cannot write usage now, will retry: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
}

// In the order of the key, so processes that update the same rows cannot deadlock.
const ADD = `
  insert into discovery_key_usage (client_id, day, requests, throttled)
  select * from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) order by 1, 2
  on conflict (client_id, day) do update
    set requests = discovery_key_usage.requests + excluded.requests,
        throttled = discovery_key_usage.throttled + excluded.throttled`;

function countsOf(counts: Map<number, Map<string, Counts>>, day: number, clientId: string): Counts {
  const keys = counts.get(day) ?? new Map<string, Counts>();
  counts.set(day, keys);
  const found = keys.get(clientId) ?? { requests: 0, throttled: 0 };
  keys.set(clientId, found);
  return found;
}

function columnsOf(counts: ReadonlyMap<number, ReadonlyMap<string, Counts>>): unknown[][] {
  const rows = [...counts].flatMap(([day, keys]) =>
    Array.from(keys, ([clientId, { requests, throttled }]) => {
      return [clientId, new Date(day * DAY_MS).toISOString().slice(0, 10), requests, throttled];
    }),
  );
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]));
}
