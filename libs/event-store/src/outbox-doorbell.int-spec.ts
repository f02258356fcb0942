import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#base/clock';
import { inTransaction } from '#database/transaction';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { CountingIds, FixedClock } from '../../../test/support/fixed-clock.js';
import { appendRaw } from '../../../test/support/postgres/append.js';
import { until } from '../../../test/support/until.js';
import type { NewEvent } from './event.js';
import { EventStore } from './event-store.js';
import { FeedLeader } from './feed-leader.js';
import { OUTBOX_CHANNEL } from './outbox-doorbell.js';

const options = { metadata: { transaction_id: 't1', actor: 'system:test' } };
const EVENT: NewEvent = { type: 'Happened', data: {} };

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the doorbell of the feed leader', () => {
  let listener: pg.Client;
  let rings: number;
  let clock: FixedClock;
  let store: EventStore<undefined, NewEvent>;

  beforeEach(async () => {
    clock = new FixedClock();
    const nothing = {
      initial: undefined,
      evolve: () => undefined,
      knows: (type: string): type is string => type !== '',
    };
    store = new EventStore(pool, { ...nothing, projections: [] }, clock, new CountingIds());
    listener = new pg.Client(database.url);
    rings = 0;
    listener.on('notification', () => (rings += 1));
    await listener.connect();
    await listener.query(`listen ${OUTBOX_CHANNEL}`);
  });
  afterEach(() => listener.end());

  let streams = 0;
  const fresh = () => store.fresh(`bell-${(streams += 1)}`);
  /** Notifications come in the order of their commits, so after this one all earlier rings were heard. */
  async function heard(): Promise<number> {
    const mark = new Promise((resolve) =>
      listener.on('notification', ({ payload }) => payload === 'mark' && resolve(0)),
    );
    await pool.query(`select pg_notify('${OUTBOX_CHANNEL}', 'mark')`);
    await mark;
    return (rings -= 1);
  }

  it('rings after an append, at most once a second', async () => {
    await store.append(fresh(), [EVENT], options);
    await until(() => rings === 1);
    clock.advance(999);
    await store.append(fresh(), [EVENT], options);
    expect(await heard()).toBe(1);
    clock.advance(1);
    await store.append(fresh(), [EVENT], options);
    await until(() => rings === 2);
  });

  it('rings when a transaction with appends commits', async () => {
    await inTransaction(pool, async (client) => {
      await store.appendAll(client, [{ stream: fresh(), events: [EVENT], options }]);
      expect(await heard()).toBe(0);
    });
    expect(await heard()).toBe(1);
  });
});

describe('a feed leader between two looks at the outbox', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('moves an event as soon as the doorbell rings', async () => {
    let leads = 0;
    const leader = new FeedLeader({
      connection: { connectionString: database.url, options: '-c role=willcall_app' },
      clock: new SystemClock(),
      onLeading: () => (leads += 1),
      onError: (error) => {
        throw error;
      },
    });
    leader.start();
    // Its next look never comes: time stands still.
    await until(() => leader.iterations > 0);
    expect(leads).toBe(1);
    for (const stream of ['first', 'second']) {
      await appendRaw(pool, stream, 0);
      await pool.query(`notify ${OUTBOX_CHANNEL}`);
      await until(async () => (await pool.query('select from feed where stream = $1', [stream])).rowCount === 1);
    }
    await leader.stop();
  });
});
