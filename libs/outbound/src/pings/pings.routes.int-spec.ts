import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ping } from '../ping.contract.js';
import { PingList, PingsSent } from '../ping.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { type Answer, codesOf } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

let api: TestApi;
/** Four orders; each has two pings, the last has five. */
const orders: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  for (let index = 0; index < 4; index += 1) {
    const id = await api.wholesale.bought(broken(wholesaleBody(), { ref_id: `ref-${index}` }));
    orders.push(id);
    await api.staff.changeStatus(id, 2001);
  }
  for (const code of [2002, 4001, 2003]) await api.staff.changeStatus(orders[3] ?? '', code);
  await settle(orders[0], 'parked', 9);
  await settle(orders[1], 'delivered', 1);
});
afterAll(() => api.close());

/** Records attempts at the first ping of an order like the worker. */
async function settle(orderId: string | undefined, state: 'parked' | 'delivered', attempts: number): Promise<void> {
  await api.pool.query(
    `update pings set state = $2, tries = $3, attempts = $3, next_try_at = null,
       delivered_at = case $2 when 'delivered' then now() end where order_id = $1 and sequence = 1`,
    [orderId, state, attempts],
  );
  await api.pool.query(
    `insert into ping_attempts select $1, 1, n, now(), 7, 500, 'answered 500', 'closed for lunch' from generate_series(1, $2) n`,
    [orderId, attempts],
  );
}

async function list(query = ''): Promise<PingList> {
  const answer = await api.staff.get(`pings?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return PingList.parse(answer.body);
}

const idOf = (order: number, sequence: number) => `${(orders[order] ?? '').replace('ord_', 'png_')}_${sequence}`;
const ids = async (query: string) => (await list(query)).pings.map(({ id }) => id);
const send = (body: object): Promise<Answer> => api.staff.send('POST', 'pings/send', body);

describe('pings', () => {
  it('show what the platform answered, which an order does not', async () => {
    const [ping] = (await list('state=parked')).pings;
    expect(ping?.attempts).toHaveLength(9);
    expect(ping?.attempts[0]).toMatchObject({ error: 'answered 500', answer: 'closed for lunch' });
    expect((await api.staff.get(`pings/${ping?.id}`)).text).toContain('closed for lunch');
    for (const path of [`orders/${orders[0]}`, `orders/${orders[0]}/timeline`])
      expect((await api.staff.get(path)).text).not.toContain('closed for lunch');
  });

  it('are listed newest first, all or by state and order', async () => {
    const [a, b, c, d] = [idOf(0, 1), idOf(1, 1), idOf(2, 1), idOf(3, 1)];
    expect(await ids('')).toHaveLength(11);
    expect(await ids('state=parked')).toEqual([a]);
    expect(await ids('state=delivered')).toEqual([b]);
    expect(await ids('state=pending')).toEqual([
      ...[5, 4, 3, 2].map((sequence) => idOf(3, sequence)),
      d,
      idOf(2, 2),
      c,
      idOf(1, 2),
      idOf(0, 2),
    ]);
    expect(await ids(`order_id=${orders[2]}`)).toEqual([idOf(2, 2), c]);
    expect(await ids(`order_id=${orders[2]}&state=parked`)).toEqual([]);
    expect(await ids('order_id=ord_unknown')).toEqual([]);
  });

  it('come in pages that skip and repeat nothing', async () => {
    const all = await ids('');
    for (const limit of [1, 2, 3, 10, 11]) {
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`limit=${limit}${cursor && `&cursor=${cursor}`}`);
        walked.push(...page.pings.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(walked, `limit ${limit}`).toEqual(all);
    }
  });

  it('are shown with the status they announce and every attempt', async () => {
    const answer = await api.staff.get(`pings/${idOf(0, 1)}`);
    const ping = Ping.parse(answer.body);
    expect(ping).toMatchObject({
      id: idOf(0, 1),
      order_id: orders[0],
      ref_id: 'ref-0',
      sequence: 1,
      status: 'confirmed',
      status_message: 'Confirmed',
      status_code: 2000,
      state: 'parked',
      tries: 9,
      next_try_at: null,
      delivered_at: null,
    });
    expect(ping.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(ping.attempts[0]).toMatchObject({ http_status: 500, error: 'answered 500', duration_ms: 7 });
    expect((await list('state=parked')).pings).toEqual([ping]);
  });

  it.each(['state=lost', 'state=', 'limit=0', 'limit=201', 'order_id=', 'order_id=%00', 'cursor=x', 'colour=red'])(
    'are not listed by "%s"',
    async (query) => {
      const answer = await api.staff.get(`pings?${query}`);
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    },
  );

  it.each(['png_1_1', 'x', `png_${'0'.repeat(32)}_1`, `png_${'0'.repeat(32)}_0`, `png_${'0'.repeat(32)}_9999999999`])(
    'are not there: %s',
    async (id) => {
      const before = await tableState(api.pool);
      for (const [method, path] of [
        ['GET', `pings/${id}`],
        ['POST', `pings/${id}/send`],
      ] as const) {
        const answer = await api.staff.send(method, path);
        expect([answer.status, codesOf(answer)]).toEqual([404, [40400]]);
      }
      expect(changedTables(before, await tableState(api.pool))).toEqual([]);
    },
  );
});

describe('pings to send again', () => {
  it('are only shown on a dry run', async () => {
    const before = await tableState(api.pool);
    const answers: [object, object][] = [
      [{}, { matched: 1, ids: [idOf(0, 1)] }],
      [{ state: 'parked' }, { matched: 1, ids: [idOf(0, 1)] }],
      [{ state: 'delivered' }, { matched: 1, ids: [idOf(1, 1)] }],
      [{ filter: { state: 'pending', order_id: orders[2] } }, { matched: 2, ids: [idOf(2, 1), idOf(2, 2)] }],
      [{ order_id: orders[2] }, { matched: 0, ids: [] }],
    ];
    for (const [filter, found] of answers) {
      const answer = await send({ ...filter, dry_run: true });
      expect(PingsSent.parse(answer.body)).toEqual({ dry_run: true, sent: 0, ...found });
    }
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it.each([
    [{ state: 'lost' }, 40001],
    [{ dry_run: 'yes' }, 40001],
    [{ filter: [] }, 40001],
    [{ filter: { colour: 'red' } }, 40001],
    [{ orderId: 'x' }, 40001],
    ['[]', 40001],
    ['{', 40000],
  ])('are not found by %j', async (body, code) => {
    const before = await tableState(api.pool);
    const answer = await api.staff.send('POST', 'pings/send', body);
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it('are due now, with a new count of tries and their old attempts', async () => {
    const answer = await api.staff.send('POST', `pings/${idOf(1, 1)}/send`);
    const ping = Ping.parse(answer.body);
    expect(answer.status).toBe(200);
    expect(ping).toMatchObject({ state: 'pending', tries: 0, delivered_at: null, attempts: { length: 1 } });
    // The api's estimate of the database's time differs from this process's clock by some milliseconds.
    expect(Math.abs(Date.parse(ping.next_try_at ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await ids('state=delivered')).toEqual([]);

    const many = await send({ dry_run: false });
    expect(PingsSent.parse(many.body)).toEqual({ dry_run: false, matched: 1, sent: 1, ids: [idOf(0, 1)] });
    expect(await ids('state=parked')).toEqual([]);
    expect((await list(`order_id=${orders[0]}`)).pings[1]).toMatchObject({ state: 'pending', tries: 0 });
    expect(PingsSent.parse((await send({})).body)).toMatchObject({ matched: 0, sent: 0 });
  });
});
