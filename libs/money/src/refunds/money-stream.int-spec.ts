import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { moveToFeed } from '#event-store/feed-move';
import { OrderChanges } from '#orders/order-changes';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { addToPingStream, PING_STREAM } from '#outbound/ping-stream.projection';
import { entryAt } from '#outbound/webhook-entries';
import { type Entry, entryMessage } from '#outbound/webhook-message';
import { WEBHOOK_DATA } from '#outbound/webhook-message.contract';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { rebuildPingStream } from '#upkeep/maintenance/rebuild-ping-stream';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { Refund } from '../refund.contract.js';

const SYSTEM = { transaction_id: 'of the test', actor: 'system:refund' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 50 });
});
afterAll(() => api.close());

const ofMoney = async () => (await api.pool.query('select * from money_stream order by position')).rows;

async function follow(): Promise<void> {
  await api.pool.query('insert into subscriptions (name, position) values ($1, 0) on conflict do nothing', [
    PING_STREAM,
  ]);
  const client = await api.pool.connect();
  while ((await moveToFeed(client, [{ low: 0, high: 1e9 }])).length > 0);
  while (await addToPingStream(client, 100));
  client.release();
}

/** The messages of webhooks, in the order of their positions. */
async function messages(): Promise<{ type: string; timestamp: string; data: object }[]> {
  const told = 'select position from ping_stream union all select position from money_stream order by position';
  const { rows } = await api.pool.query<Entry>(
    `select entry.* from (${told}) as told cross join lateral (${entryAt('told.position')}) as entry`,
  );
  return rows.map((row) => JSON.parse(entryMessage(row).body) as { type: string; timestamp: string; data: object });
}

async function differences() {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  return (await verify(api.pool, proof)).differences.map(({ kind, id }) => ({ kind, id }));
}

it('tells of refunds and disputes what webhooks ask for, and is verified and rebuilt with the ping stream', async () => {
  const id = await api.payment.bought({ ...cardBody(), ref_id: 'money-stream' });
  const settle = () => api.app.get(PaymentSteps).run(id, SYSTEM);
  await settle();
  const asked = await api.staff.send('POST', `orders/${id}/refunds`, { amount: 12.5, reason: 'price_error' });
  const refund = asked.body as Refund;
  await settle();
  const changes = api.app.get(OrderChanges);
  const result = { is: 'failed', reference: 'r', reason: 'the account is closed' } as const;
  await changes.apply(id, { type: 'RecordRefund', refundId: refund.id, result }, SYSTEM);
  const opened = {
    type: 'OpenDispute',
    disputeId: 'dp_1',
    kind: 'denied_entry',
    dueAt: '2027-01-01T00:00:00.000Z',
  } as const;
  await changes.apply(id, { ...opened, note: 'a secret' }, SYSTEM);
  await changes.apply(id, { type: 'CloseDispute', disputeId: 'dp_1', state: 'won' }, SYSTEM);
  await follow();
  const told = await ofMoney();
  const common = { order_id: id, transaction_id: 'of the test', id: expect.stringMatching(/^mny_[0-9a-f]{32}_\d+$/) };
  const ofRefund = {
    refund_id: refund.id,
    amount: 12.5,
    currency: 'USD',
    quantity: null,
    reason: 'price_error',
    origin: 'desk',
  };
  const ofDispute = {
    dispute_id: 'dp_1',
    reference: null,
    kind: 'denied_entry',
    inquiry: false,
    reason: 'denied_entry',
    amount: 254.6,
    currency: 'USD',
    due_at: '2027-01-01T00:00:00.000Z',
  };
  expect(told).toMatchObject([
    { ...common, type: 'refund.succeeded', data: { ...ofRefund, reference: `sandbox_${refund.id}`, failure: null } },
    { ...common, type: 'refund.failed', data: { ...ofRefund, reference: 'r', failure: 'the account is closed' } },
    { ...common, type: 'dispute.opened', data: { ...ofDispute, state: 'open' } },
    { ...common, type: 'dispute.closed', data: { ...ofDispute, state: 'won' } },
  ]);
  const sent = await messages();
  expect(new Set(sent.map(({ type }) => type))).toEqual(new Set(Object.keys(WEBHOOK_DATA)));
  for (const { type, data } of sent)
    expect(WEBHOOK_DATA[type as keyof typeof WEBHOOK_DATA].data.parse(data)).toEqual(data);
  expect(await differences()).toEqual([]);
  await api.pool.query(`update money_stream set data = '{}' where type = 'refund.failed'`);
  await api.pool.query(`delete from money_stream where type = 'dispute.closed'`);
  expect(await differences()).toEqual([
    { kind: 'money_stream', id },
    { kind: 'money_stream', id },
  ]);
  await rebuildPingStream(api.pool);
  expect(await ofMoney()).toEqual(told);
  expect(await differences()).toEqual([]);
});
