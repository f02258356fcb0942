import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryHealthReport, DeliveryHistoryReport, DriftReport } from '../delivery.contract.js';
import { PingsSent } from '../ping.contract.js';
import { Replay, ReplayList, ReplayPreview } from '../replay.contract.js';
import { PlatformReads } from '../platform-reads.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { startStreamWork } from '../../../../test/support/ping-stream/stream-work.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';
import { until } from '../../../../test/support/until.js';

const UNKNOWN_WEBHOOK = `whk_${'0'.repeat(32)}`;

let api: TestApi;
/** Three orders with two pings each, none delivered. */
const orders: string[] = [];
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  for (let order = 0; order < 3; order += 1) {
    orders.push(await api.wholesale.bought(broken(wholesaleBody(), { ref_id: `ref-${order}` })));
    await api.staff.changeStatus(orders[order] ?? '', 2001);
  }
  const work = startStreamWork(api.databaseUrl);
  await until(async () => (await api.pool.query('select from ping_stream')).rowCount === 6);
  await work.stop();
});
afterAll(() => api.close());

const pingOf = (order: number, sequence: number) => `${(orders[order] ?? '').replace('ord_', 'png_')}_${sequence}`;

async function drift(query = ''): Promise<DriftReport> {
  const answer = await api.staff.get(`delivery/drift?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return DriftReport.parse(answer.body);
}
const drifting = async (query = '') => (await drift(query)).orders.map(({ order_id }) => order_id);

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await tableState(api.pool);
  await work();
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
}

describe('the health of delivery', () => {
  it('has the platform and each webhook', async () => {
    await api.pool.query(
      `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at, state)
       values ($1, 'https://one.example', 9, 0, 1000, now(), now(), 'paused')`,
      [`whk_${'1'.repeat(32)}`],
    );
    const { endpoints } = DeliveryHealthReport.parse((await api.staff.get('delivery/health')).body);
    expect(endpoints).toMatchObject([
      { endpoint: 'platform', kind: 'platform', url: 'sandbox', pending: 6, parked: 0, success_rate: null },
      { endpoint: `whk_${'1'.repeat(32)}`, kind: 'webhook', url: 'https://one.example', state: 'paused', pending: 0 },
    ]);
  });
});

describe('the history of delivery', () => {
  it('has the platform, and refuses a period that is too long', async () => {
    const { endpoints } = DeliveryHistoryReport.parse((await api.staff.get('delivery/history')).body);
    expect(endpoints[0]).toEqual({ endpoint: 'platform', points: [] });
    const refused = await api.staff.get('delivery/history?from=2026-01-01&to=2026-05-01');
    expect([refused.status, codesOf(refused)]).toEqual([400, [40001]]);
    expect(messagesOf(refused)[0]).toContain('from, to');
  });
});

describe('the drift report', () => {
  it('comes in pages', async () => {
    const first = await drift('limit=2');
    expect(first.orders.map(({ order_id }) => order_id)).toEqual(orders.slice(0, 2));
    expect(await drifting(`limit=2&cursor=${first.next_cursor}`)).toEqual(orders.slice(2));
    expect(await drifting('older_than_seconds=3600')).toEqual([]);
  });

  it('leaves an order out once the platform has read it, until it changes again', async () => {
    expect((await api.wholesale.read(orders[1] ?? '')).status).toBe(200);
    await api.app.get(PlatformReads).flush();
    expect(await drifting()).toEqual([orders[0], orders[2]]);
    await api.staff.changeStatus(orders[1] ?? '', 2002);
    const report = await drift();
    expect(report.orders).toHaveLength(3);
    expect(report.orders[1]).toMatchObject({ order_id: orders[1], status_code: 2002, why: 'never_acknowledged' });
    expect(report.orders[1]?.last_read_at).not.toBeNull();
  });

  it('ignores clients that may not read the order', async () => {
    expect((await api.payment.read(orders[0] ?? '')).status).toBe(400);
    await api.app.get(PlatformReads).flush();
    expect(await drifting()).toContain(orders[0]);
  });

  it('is recorded in the background', async () => {
    await api.wholesale.read(orders[2] ?? '');
    await until(async () => !(await drifting()).includes(orders[2] ?? ''));
    await api.staff.changeStatus(orders[2] ?? '', 2002);
  });

  it('is sent again in one call', async () => {
    await api.pool.query(`update pings set state = 'parked', next_try_at = null where order_id = $1`, [orders[0]]);
    await expectUnchanged(async () => {
      const { body } = await api.staff.send('POST', 'delivery/drift/send', { dry_run: true });
      expect(PingsSent.parse(body)).toMatchObject({ dry_run: true, matched: 8, sent: 0 });
    });
    const answer = await api.staff.send('POST', 'delivery/drift/send', {});
    expect(PingsSent.parse(answer.body)).toMatchObject({ matched: 8, sent: 8, ids: { length: 8 } });
    expect((await drift()).orders[0]).toMatchObject({ ping: { state: 'pending', tries: 0 } });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['older_than_seconds=-1', 'older_than_seconds'],
    ['colour=red', 'colour'],
  ])('is not read by %s', async (query, field) => {
    const answer = await api.staff.get(`delivery/drift?${query}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(messagesOf(answer).join()).toContain(field);
  });

  it.each([
    [{ dry_run: 1 }, 'dry_run'],
    [{ older_than_seconds: -1 }, 'older_than_seconds'],
    [{ state: 'parked' }, 'state'],
  ])('is not sent by %j', async (body, field) => {
    await expectUnchanged(async () => {
      const answer = await api.staff.send('POST', 'delivery/drift/send', body);
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
      expect(messagesOf(answer).join()).toContain(field);
    });
  });
});

describe('a replay', () => {
  it('is counted, begun, seen, paused, resumed and cancelled', async () => {
    const asked = { order_ids: orders.slice(0, 2), statuses: ['confirmed'], per_second: 5 };
    await expectUnchanged(async () => {
      const answer = await api.staff.send('POST', 'replays', { ...asked, dry_run: true });
      expect([answer.status, ReplayPreview.parse(answer.body)]).toEqual([
        200,
        { dry_run: true, total: 4, ids: [pingOf(0, 1), pingOf(0, 2), pingOf(1, 1), pingOf(1, 2)] },
      ]);
    });
    const answer = await api.staff.send('POST', 'replays', asked);
    expect(answer.status, answer.text).toBe(201);
    const { per_second, ...selection } = asked;
    const replay = Replay.parse(answer.body);
    expect(replay).toMatchObject({ state: 'running', endpoint: 'platform', total: 4, sent: 0, per_second, selection });

    const path = `replays/${replay.id}`;
    expect((await api.staff.get(path)).body).toEqual(answer.body);
    for (const [change, state] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['cancel', 'cancelled'],
    ]) {
      const changed = await api.staff.send('POST', `${path}/${change}`);
      expect([changed.status, Replay.parse(changed.body).state]).toEqual([200, state]);
    }
    const { body } = await api.staff.send('POST', 'replays', { ids: [pingOf(0, 1)] });
    const { id } = Replay.parse(body);
    const first = ReplayList.parse((await api.staff.get('replays?limit=1')).body);
    expect(first.replays.map((listed) => listed.id)).toEqual([id]);
    const second = ReplayList.parse((await api.staff.get(`replays?limit=1&cursor=${first.next_cursor}`)).body);
    expect(second).toMatchObject({ replays: [{ id: replay.id }], next_cursor: null });
  });

  it.each([
    [{}, 'give at least one of'],
    [{ order_id: 'x' }, 'order_id'],
    [{ order_ids: [] }, 'order_ids'],
    [{ order_ids: 'x' }, 'order_ids'],
    [{ ids: ['ord_1'] }, 'ids.0'],
    [{ statuses: ['lost'] }, 'statuses.0'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-02-30T00:00:00Z' }, 'since'],
    [{ since: '2026-11-21T12:00:00Z', until: '2026-11-21T12:00:00Z' }, 'until'],
    [{ statuses: ['pending'], per_second: -1 }, 'per_second'],
    [{ statuses: ['pending'], per_second: 0.5 }, 'per_second'],
    [{ statuses: ['pending'], per_second: 10_001 }, 'per_second'],
    [{ statuses: ['pending'], endpoint: 'https://one.example' }, 'endpoint'],
    [{ statuses: ['pending'], dry_run: 'yes' }, 'dry_run'],
  ])('is not begun by %j', async (body, field) => {
    await expectUnchanged(async () => {
      const answer = await api.staff.send('POST', 'replays', body);
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
      expect(messagesOf(answer).join()).toContain(field);
    });
  });

  it('is not there', async () => {
    await expectUnchanged(async () => {
      const unknown = `replays/rpl_${'0'.repeat(32)}`;
      const answers = [
        await api.staff.send('POST', 'replays', { statuses: ['pending'], endpoint: UNKNOWN_WEBHOOK }),
        await api.staff.send('POST', 'replays', { statuses: ['pending'], endpoint: UNKNOWN_WEBHOOK, dry_run: true }),
        await api.staff.get(unknown),
        ...(await Promise.all(['pause', 'resume', 'cancel'].map((it) => api.staff.send('POST', `${unknown}/${it}`)))),
      ];
      for (const answer of answers) expect([answer.status, codesOf(answer)]).toEqual([404, [40400]]);
    });
  });

  it.each(['limit=0', 'cursor=x', 'state=done'])('is not listed by %s', async (query) => {
    const answer = await api.staff.get(`replays?${query}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
  });
});

it.each(['delivery/health', 'delivery/drift', 'replays', 'replays/rpl_1'])('%s is for staff only', async (path) => {
  const answer = await fetch(`${api.url}/backoffice/v1/${path}`);
  expect(answer.status).toBe(401);
});
