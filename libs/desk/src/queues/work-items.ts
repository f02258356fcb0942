import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { inTransaction } from '#database/transaction';
import { domainError } from '#domain/domain-error';
import type { Clock } from '#base/clock';
import { fillWorkItems } from '../work-item-filling.js';
import { lockWorkItems, tryLockWorkItems, WORK_QUEUES } from '../work-item-lock.js';
import { IS_DUE, ORDERS_OF, READ_FEED, REFRESH, TAKE_CHANGES, TIME_PASSED } from '../work-item-statements.js';

// About a second of a busy shop.
const ENTRIES_AT_ONCE = 5_000;
const CHANGES_AT_ONCE = 20;
const ITEMS_AT_ONCE = 5_000;

/**
 * Keeps the open orders and their clocks: which queue shows an order, and until when. It follows the feed, so a purchase does no extra
 * work. Changed dates of shows and clocks of listings come from a table that triggers fill.
 */
@Injectable()
export class WorkItems {
  private knowsClocks = false;

  constructor(
    private readonly pool: Pool,
    // What a crash takes back is read from the feed again, because rows and checkpoint are written together.
    @Inject(LazyCommitPool) private readonly lazyPool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Processes what has come since the last step, and returns whether it left anything. What comes during the step waits for the next one,
   * because a step for each purchase of a busy shop costs more than the purchase. Safe to run in several processes.
   */
  async step(): Promise<boolean> {
    if (!this.knowsClocks) await this.writeClocks();
    const { rows } = await this.lazyPool.query<{ due: boolean }>({
      name: 'work-items-due',
      text: IS_DUE,
      values: [WORK_QUEUES, this.clock.iso()],
    });
    if (!rows[0]?.due) return false;
    const { rowCount: filled } = await this.lazyPool.query(IS_FILLED, [WORK_QUEUES]);
    if (filled === 0) await fillWorkItems(this.pool, this.clock);
    return await inTransaction(this.lazyPool, (client) => this.advance(client));
  }

  /**
   * Hides an order from its queue. A due time that has not passed yet brings it back, even before `until`.
   * @param until ISO 8601; null ends the snooze
   * @returns false if there is no such order
   * @throws DomainError if the order is in no queue
   */
  async snooze(orderId: string, until: string | null): Promise<boolean> {
    const now = this.clock.iso();
    return await inTransaction(this.pool, async (client) => {
      await lockWorkItems(client);
      const { rows } = await client.query<{ queue: string | null }>('select queue from orders where id = $1', [
        orderId,
      ]);
      const [order] = rows;
      if (!order) return false;
      if (order.queue === null && until !== null) throw domainError('CONFLICT', 'The order is in no queue.');
      await client.query(SNOOZE, [orderId, until, now, order.queue]);
      await client.query(REFRESH, [[orderId], now]);
      return true;
    });
  }

  private async advance(client: ClientBase): Promise<boolean> {
    if (!(await tryLockWorkItems(client))) return false;
    const { entries, last, ids } = await readFeed(client);
    const { changes, affected } = await takeChanges(client);
    const orders = [...new Set([...ids, ...affected])];
    const now = this.clock.iso();
    if (orders.length > 0) await client.query({ name: 'work-items-refresh', text: REFRESH, values: [orders, now] });
    if (last !== null)
      await client.query({ name: 'work-items-advance', text: MOVE_CHECKPOINT, values: [WORK_QUEUES, last] });
    const moved = await moveWhatTimePassed(client, now);
    return entries === ENTRIES_AT_ONCE || changes === CHANGES_AT_ONCE || moved === ITEMS_AT_ONCE;
  }

  /** With other clocks, all due times are worked out again. */
  private async writeClocks(): Promise<void> {
    const { settings } = this;
    const clocks = [
      settings.REVIEW_WITHIN_MINUTES,
      settings.EXCEPTION_WITHIN_MINUTES,
      settings.SHIP_BEFORE_EVENT_HOURS,
      settings.DELIVER_BEFORE_EVENT_HOURS,
      settings.RETRANSFER_HOURS,
      settings.REENTER_HOURS,
    ];
    await inTransaction(this.pool, async (client) => {
      await lockWorkItems(client);
      const { rowCount } = await client.query(WRITE_CLOCKS, clocks);
      if (rowCount !== 0) await client.query(FILL_AGAIN, [WORK_QUEUES]);
    });
    this.knowsClocks = true;
  }
}

type FeedPart = Readonly<{ entries: number; last: string | null; ids: readonly string[] }>;

async function readFeed(client: ClientBase): Promise<FeedPart> {
  const { rows } = await client.query<FeedPart>({
    name: 'work-items-feed',
    text: READ_FEED,
    values: [WORK_QUEUES, ENTRIES_AT_ONCE],
  });
  return rows[0] ?? { entries: 0, last: null, ids: [] };
}

/** Takes changes of shows and listings. Returns how many, and the open orders that they affect. */
async function takeChanges(client: ClientBase): Promise<{ changes: number; affected: readonly string[] }> {
  const { rows: changes } = await client.query<{ event_id: string | null; listing_id: string | null }>({
    name: 'work-items-changes',
    text: TAKE_CHANGES,
    values: [CHANGES_AT_ONCE],
  });
  if (changes.length === 0) return { changes: 0, affected: [] };
  const { rows } = await client.query<{ id: string }>(ORDERS_OF, [
    changes.flatMap(({ event_id: id }) => id ?? []),
    changes.flatMap(({ listing_id: id }) => id ?? []),
  ]);
  return { changes: changes.length, affected: rows.map(({ id }) => id) };
}

/** Returns how many items the statement moved that moved most. */
async function moveWhatTimePassed(client: ClientBase, now: string): Promise<number> {
  let most = 0;
  for (const [index, text] of TIME_PASSED.entries()) {
    const { rowCount } = await client.query({ name: `work-items-time-${index}`, text, values: [now, ITEMS_AT_ONCE] });
    most = Math.max(most, rowCount ?? 0);
  }
  return most;
}

const IS_FILLED = 'select from subscriptions where name = $1 and position >= 0';

const FILL_AGAIN = 'update subscriptions set position = -1 where name = $1';

const MOVE_CHECKPOINT = 'update subscriptions set position = $2, updated_at = now() where name = $1';

// Version 0 is that of an order without tags and assignee, which a snooze does not change.
const SNOOZE = `
  insert into order_desk (order_id, version, snoozed_until, snoozed_at, snoozed_in)
    values ($1, 0, $2::timestamptz, case when $2::timestamptz is not null then $3::timestamptz end,
      case when $2::timestamptz is not null then $4 end)
  on conflict (order_id) do update set snoozed_until = excluded.snoozed_until, snoozed_at = excluded.snoozed_at,
    snoozed_in = excluded.snoozed_in`;

const WRITE_CLOCKS = `
  update work_clocks set review_minutes = $1, exception_minutes = $2, ship_hours = $3, deliver_hours = $4,
    retransfer_hours = $5, reenter_hours = $6
  where (review_minutes, exception_minutes, ship_hours, deliver_hours, retransfer_hours, reenter_hours)
    is distinct from ($1::int, $2::int, $3::int, $4::int, $5::int, $6::int)`;
