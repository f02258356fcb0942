import type { Pool } from 'pg';
import { until } from '../../test/support/until.js';
import { machineMs } from './machine-clock.js';
import type { Marketplace } from './marketplace.js';
import { PacedBuyer } from './paced-buyer.js';
import { addPingBacklog } from './ping-backlog.js';
import type { PingReceiver } from './ping-receiver.js';

export type Drain = Readonly<{
  seconds: number;
  repeated: number;
  /** When the ping of each order arrived, by `machineMs`, ascending. */
  arrivals: readonly number[];
}>;

/** From the commit of a backlog of `count` pings, with idle workers, until the last ping is recorded as delivered. */
export async function drainPings(owner: Pool, receiver: PingReceiver, count: number): Promise<Drain> {
  await receiver.forget();
  await addPingBacklog(owner, count);
  const began = machineMs();
  const { pings, arrivals } = await receiver.pinged(count);
  await until(async () => (await pendingPings(owner)) === 0, { withinMs: 60_000 });
  const seconds = (machineMs() - began) / 1_000;
  return { seconds, repeated: pings - count, arrivals: Object.values(arrivals).toSorted((a, b) => a - b) };
}

/** Pings that no answer is recorded of. */
export async function pendingPings(owner: Pool): Promise<number | undefined> {
  const { rows } = await owner.query<{ pending: number }>(
    "select count(*)::int as pending from pings where state = 'pending'",
  );
  return rows[0]?.pending;
}

/** The purchase that a backlog copies. */
export async function buyOne(marketplace: Marketplace): Promise<void> {
  const api = await marketplace.startApi();
  const buyer = new PacedBuyer(marketplace, api);
  await buyer.buy({ count: 1, perSecond: 1 });
  await buyer.stop();
  await api.stop();
}
