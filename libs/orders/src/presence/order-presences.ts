import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Caller, operatorIdOf } from '#accounts/caller';
import { type Role, sellersSeen } from '#accounts/permission.contract';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { poolOnlyReads } from '#database/session';
import type { AskedOrder } from '#domain/order-access';
import type { OrderPresence } from '../presence.contract.js';

/** Somebody is there for so long after asking; pages ask more often. */
const THERE_FOR_MS = 30_000;
const KEPT_MS = 60_000;

/** Who has the page of an order open. It is kept for a minute, in no log and on no standby: an api that only reads knows nobody. */
@Injectable()
export class OrderPresences {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Notes that the caller looks at the order, and returns who else does. Programs only look. */
  async lookAt(orderId: string, caller: Caller): Promise<OrderPresence> {
    if (poolOnlyReads(this.pool)) return { people: [], unnamed_staff: 0 };
    const now = this.clock.now();
    const thereSince = new Date(now - THERE_FOR_MS);
    const self = operatorIdOf(caller);
    if (self !== undefined) await this.pool.query(NOTE, [orderId, self, new Date(now), thereSince]);
    const { rows } = await this.pool.query<ThereRow>(THERE, [orderId, thereSince, self ?? '']);
    const named = caller.sellers ? rows.filter((person) => sellersSeen(person) !== null) : rows;
    return {
      people: named.map(({ id, name }) => ({ operator_id: id, name })),
      unnamed_staff: rows.length - named.length,
    };
  }

  /** Who came to which order since then. */
  async arrivedSince(at: Date): Promise<readonly Arrival[]> {
    if (poolOnlyReads(this.pool)) return [];
    const { rows } = await this.pool.query<Arrival>(ARRIVED, [at]);
    return rows;
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from order_presence where seen_at < $1', [new Date(this.clock.now() - KEPT_MS)]);
  }
}

/** With what decides who sees the order. */
export type Arrival = AskedOrder & Readonly<{ order_id: string; operator_id: string; since: Date }>;

type ThereRow = { id: string; name: string; roles: Role[]; sellers: string[] | null };

// Whoever was away for longer comes anew.
const NOTE = `
  insert into order_presence as known (order_id, operator_id, since, seen_at) values ($1, $2, $3, $3)
  on conflict (order_id, operator_id) do update set seen_at = excluded.seen_at,
    since = case when known.seen_at <= $4 then excluded.since else known.since end`;

const THERE = `
  select o.id, o.name, o.roles, o.sellers
  from order_presence p join operators o on o.id = p.operator_id and o.state = 'active'
  where p.order_id = $1 and p.seen_at > $2 and p.operator_id <> $3
  order by p.since, o.id`;

const ARRIVED = `
  select p.order_id, p.operator_id, p.since, o.seller, o.stage, o.queue
  from order_presence p join orders o on o.id = p.order_id where p.since >= $1`;
