import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPool } from '#database/pool';
import { ReplayWork } from '#outbound/replay-work';
import { SystemClock } from '#base/clock';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { addPings, orderNo } from '../../../test/support/pings/ping-rows.js';
import { until } from '../../../test/support/until.js';
import { addStreamEntries } from '../../../test/support/webhooks/webhook-stand.js';
import { deliveryCommand } from './delivery.js';
import { replayCommand } from './replay.js';
import { UsageError } from './terminal/user-error.js';
import type { UsePool } from './database/with-pool.js';

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined };
  pool = createPool(options);
  owner = createPool({ ...options, asOwner: true });
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

const PING = `png_${orderNo(1).slice(4)}_1`;

/** Three orders, each with a parked ping. */
beforeEach(async () => {
  await owner.query('truncate pings, ping_stream, replays, replay_items');
  const keys = [1, 2, 3].map((order) => ({ order_id: orderNo(order), sequence: 1 }));
  await addPings(
    pool,
    keys.map(({ order_id, sequence }) => ({ orderId: order_id, sequence, dueAt: Date.parse('2026-11-21T12:00:00Z') })),
  );
  await addStreamEntries(
    owner,
    keys.map((key, index) => ({ ...key, position: index + 1 })),
  );
  await pool.query(`update pings set state = 'parked', next_try_at = null, tries = 9`);
});

const use: UsePool = (work) => work(pool);

async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const [name] = words;
  const command = name === 'delivery' ? deliveryCommand(use) : replayCommand(use);
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words.slice(1), { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

const pendingPings = async () => (await pool.query(`select from pings where state = 'pending'`)).rowCount;

describe('delivery', () => {
  it('shows the state of each endpoint', async () => {
    expect(await run('delivery', 'health')).toBe('platform  delivering  0 pending, 3 parked  sandbox');
    expect(JSON.parse(await run('delivery', 'health', '--json'))).toMatchObject([{ endpoint: 'platform', parked: 3 }]);
  });

  it('shows control characters of strangers instead of executing them', async () => {
    await pool.query(`insert into webhooks (id, url, rate_per_second, state, from_position, position, created_at, updated_at)
      values ('whk_hostile', E'https://x.example/\\x1b[2J', 1, 'active', 0, 0, now(), now())`);
    expect(await run('delivery', 'health')).toContain('https://x.example/\\u{1b}[2J');
    expect(await run('delivery', 'health', '--json')).not.toContain('\u001b');
    await owner.query(`delete from webhooks where id = 'whk_hostile'`);
  });

  it('reports problems of delivery to monitoring by the exit code', async () => {
    expect(await run('delivery', 'health', '--check')).toMatch(/^PROBLEM: platform: 3 ran out of tries\nplatform  /);
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    expect(await run('delivery', 'health', '--check', '--max-parked', '3')).toMatch(/^OK\nplatform  /);
    expect(process.exitCode).toBeUndefined();
    await pool.query(`update pings set state = 'pending', next_try_at = now(), due_since = now() - interval '400 s'`);
    const waiting = await run('delivery', 'health', '--check');
    expect(waiting).toMatch(/^PROBLEM: platform: the oldest has waited 40\d s\n/);
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    await run('delivery', 'health', '--check', '--max-wait', '1000');
    expect(process.exitCode).toBeUndefined();
  });

  it('reports drifting orders to monitoring by the exit code', async () => {
    expect(await run('delivery', 'drift', '--check', '--limit', '2')).toMatch(/^PROBLEM: 2 or more orders drift\nord_/);
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    await pool.query(`update pings set occurred_at = now() - interval '100 s'`);
    expect(await run('delivery', 'drift', '--check')).toBe('OK: no order drifts.');
    expect(process.exitCode).toBeUndefined();
    expect(await run('delivery', 'drift', '--check', '--older-than', '60')).toMatch(/^PROBLEM: 3 orders drift/);
    process.exitCode = undefined;
    await expect(run('delivery', 'drift', '--check', '--send')).rejects.toThrow(UsageError);
  });

  it('lists drifting orders and resends what the platform has missed', async () => {
    const drifts = `2001 Status 1 at 2026-11-21T12:00:00.000Z: never acknowledged; told of none, never read`;
    expect(await run('delivery', 'drift', '--limit', '1')).toBe(`${orderNo(1)}  ${drifts}\nand more: see --limit`);
    expect(await run('delivery', 'drift', '--send', '--dry-run')).toMatch(/^png_.*\n3 pings would be sent again\.$/s);
    expect(await pendingPings()).toBe(0);
    expect(await run('delivery', 'drift', '--send')).toMatch(/3 pings are sent again\.$/);
    expect(await pendingPings()).toBe(3);
    await pool.query(`update pings set state = 'delivered', next_try_at = null`);
    expect(await run('delivery', 'drift')).toBe('No order drifts.');
    expect(JSON.parse(await run('delivery', 'drift', '--json'))).toEqual({ orders: [], more: false });
  });

  it.each(['-1', 'x', '0.5'])('takes no %s for a number of seconds', async (text) => {
    await expect(run('delivery', 'drift', '--older-than', text)).rejects.toThrow(/whole number/);
  });
});

describe('replay', () => {
  it('only counts on a dry run', async () => {
    const counted = await run('replay', 'start', '--status', 'pending', '--dry-run');
    expect(counted).toMatch(new RegExp(`^${PING}\n.*3 would be sent again\\.$`, 's'));
    expect(await run('replay', 'list')).toBe('There are no replays yet.');
  });

  it('is started, paused, resumed and cancelled', async () => {
    const started = await run('replay', 'start', '--status', 'pending', '--per-second', '5');
    const [, id = ''] =
      /^(rpl_\w+) {2}platform {2}running, 0 of 3 sent, at most 5 a second, begun /.exec(started) ?? [];
    expect(await run('replay', 'pause', id)).toContain('paused');
    expect(await run('replay', 'resume', id)).toContain('running');
    expect(await run('replay', 'cancel', id)).toContain('cancelled');
    expect(await run('replay', 'show', id)).toContain('cancelled, 0 of 3 sent');
    expect(JSON.parse(await run('replay', 'list', '--json'))).toMatchObject([{ id, state: 'cancelled' }]);
  });

  it('is followed until it ends', async () => {
    const work = new ReplayWork(pool, new SystemClock(), { schedule: () => Promise.resolve() });
    const timer = setInterval(() => {
      void work.step();
      void pool.query(`update pings set state = 'delivered', next_try_at = null where next_try_at <= now()`);
    }, 50);
    try {
      const over = await run('replay', 'start', '--id', PING, '--follow');
      expect(over).toMatch(/done, 1 of 1 sent/);
    } finally {
      clearInterval(timer);
    }
  });

  it('reads a day as its midnight UTC and says so', async () => {
    const consoleError = vi.spyOn(console, 'error').mockReturnValue();
    await run('replay', 'start', '--status', 'pending', '--until', '2026-11-21', '--dry-run');
    expect(consoleError.mock.calls).toEqual([['--until 2026-11-21 is taken as 2026-11-21T00:00:00.000Z.']]);
    consoleError.mockRestore();
  });

  it('continues when the person who follows it presses Ctrl-C, and says so', async () => {
    const consoleError = vi.spyOn(console, 'error').mockReturnValue();
    // Vitest adds and removes listeners of its own at any time, so their number says nothing.
    const listening = vi.spyOn(process, 'once');
    const following = run('replay', 'start', '--id', PING, '--follow');
    const interrupt = await until(() => listening.mock.calls.find(([name]) => name === 'SIGINT')?.[1]);
    listening.mockRestore();
    // Vitest would also get the event.
    interrupt('SIGINT');
    expect(await following).toMatch(/running, 0 of 1 sent/);
    expect(consoleError.mock.calls.flat().join('\n')).toMatch(
      /^The replay continues\. .*willcall replay cancel rpl_\w+$/,
    );
    expect(process.listeners('SIGINT')).not.toContain(interrupt);
    consoleError.mockRestore();
  });

  it.each([
    [['start'], /give at least one of/],
    [['start', '--since', 'yesterday'], /since/],
    [['start', '--status', 'lost'], /statuses.0/],
    [['start', '--status', 'pending', '--per-second', '-5'], /whole number/],
    [['start', '--status', 'pending', '--endpoint', 'me'], /endpoint/],
    [['start', '--status', 'pending', '--endpoint', `whk_${'0'.repeat(32)}`], /no webhook of this id/],
    [['show', 'rpl_none'], /no replay of this id/],
    [['cancel', 'rpl_none'], /no replay of this id/],
  ])('reports the error of %j', async (words, says) => {
    await expect(run('replay', ...words)).rejects.toThrow(says);
  });
});
