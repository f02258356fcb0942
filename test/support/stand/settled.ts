import { inspect } from 'node:util';
import type { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { authorization, call, PAYMENT, WHOLESALE } from '../callers.js';
import { until } from '../until.js';
import { historyViolations } from './history-violations.js';
import { type History, type ListingState, loggedOrders } from './history.js';
import type { Load } from './load.js';
import { codesOfHistory } from './platform-double.js';
import type { Stand } from './stand.js';

// A killed worker's leases last 16 s, and its jobs count as stalled after 15 s.
const SETTLES_WITHIN_MS = 60_000;

/** Waits until no ping is pending, no payment is open, and all events are in the feed. */
export async function untilSettled(stand: Stand): Promise<void> {
  const settled = async () => (await openWork(stand.pool)) === '';
  await until(settled, { withinMs: SETTLES_WITHIN_MS, everyMs: 100 }).catch(async (cause: unknown) => {
    const dead = stand.dead.map(({ logFile, log }) => `\n${logFile} has ended: ${log().slice(-2_000)}`);
    throw new Error(`Not settled: ${await openWork(stand.pool)}${dead.join('')}`, { cause });
  });
}

async function openWork(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ left: string }>(
    `select concat_ws(', ', pings || ' pings pending', payments || ' orders due', events || ' events to be fed') as left
     from (select nullif(count(*), 0) as pings from pings where state <> 'delivered') p,
       (select nullif(count(*), 0) as payments from orders where due_for = 'payment_outcome' or payment_step <> 'hold') o,
       (select nullif(count(*), 0) as events from outbox) e`,
  );
  return rows[0]?.left ?? 'unknown';
}

/** The problems after a stopped load, found by the history checker and by `willcall verify`. */
export async function violationsAfter(load: Load, stand: Stand): Promise<string[]> {
  await untilSettled(stand);
  const key = Buffer.from(stand.environment['ENCRYPTION_KEY'] ?? '', 'base64');
  const proof = await loadLedgerProof(stand.pool, new Sealer(key, new SystemRandomness()), []);
  const { differences } = await verify(stand.pool, proof);
  return [...historyViolations(await historyOf(load, stand)), ...differences.map((difference) => inspect(difference))];
}

async function historyOf(load: Load, stand: Stand): Promise<History> {
  const orders = await loggedOrders(stand.pool, load.prefix, (order) => shown(order, stand));
  const arrivals = stand.platform.arrivals.filter(({ refId }) => refId?.startsWith(load.prefix));
  const shownAt = await Promise.all(arrivals.map(async (ping) => [ping.number, await ping.shown] as const));
  const listings = await listingStates(load, stand.pool);
  const { purchases, changes } = load;
  return { purchases, changes, orders, listings, arrivals, shownAt: new Map(shownAt) };
}

async function shown({ id, variant }: { id: string; variant: string }, stand: Stand): Promise<number[] | null> {
  const path = `/checkout/v1/purchases/${id}`;
  const client = variant === 'payment' ? PAYMENT : WHOLESALE;
  const headers = { authorization: authorization(client, 'GET', path) };
  // An api may close a connection that was idle just as it is used again.
  const answer = await until(() => call(`${stand.api().url}${path}`, 'GET', undefined, headers));
  return answer.status === 200 ? codesOfHistory(answer.body) : null;
}

async function listingStates({ listings }: Load, pool: Pool): Promise<ListingState[]> {
  const { rows } = await pool.query<{ id: string; available: number }>(
    'select id, available from listings where id = any ($1)',
    [listings.map(({ id }) => id)],
  );
  const available = new Map(rows.map((row) => [row.id, row.available]));
  return listings.map(({ id, offered }) => ({ id, offered, available: available.get(id) ?? 0 }));
}
