import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../job.contract.js';
import type { OrderDetail } from '#orders/order.contract';
import type { Timeline } from '../timeline.contract.js';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { OrderTransferRunner } from './order-transfer-runner.js';
import { PING_STREAM_ROWS } from '#outbound/ping-stream.projection';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { ownerPool } from '../../../../test/support/database.js';
import { secondPerson, signIn } from '../../../../test/support/operators.js';
import { linesText, type OrderLine, orderLines } from '../../../../test/support/orders/order-lines.js';

const SYSTEM = { transaction_id: 'sweep', actor: 'system:void' };

/** Confirmed and paid elsewhere. */
const lines = orderLines(600, 5).filter(({ events }) => events.some(({ type }) => type === 'PaymentAuthorised'));
const next = (last: string): OrderLine => {
  const index = lines.findIndex(({ events }) => events.at(-1)?.type === last);
  const [line] = lines.splice(index, 1);
  if (index < 0 || !line) throw new Error('There are more.');
  return line;
};
const held = () => next('OrderConfirmed');
const captured = () => next('PaymentCaptured');
const [claiming, large, unknown, known, other] = [held(), held(), held(), held(), held()];
const [taken, takenElsewhere] = [captured(), captured()];
claiming.events[0].metadata = { transaction_id: 'tx', actor: 'operator:opr_colleague' };
const { product } = large.events[0].data as { product: { listing_id: string; quantity: number } };
product.quantity = 500;

let api: TestApi;
let job: Job;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing(product.listing_id, { quantity: 5 });
  const answer = await fetch(`${api.url}/backoffice/v1/jobs?kind=import_orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${STAFF_TOKEN}` },
    body: linesText([claiming, large, unknown, known, other, taken, takenElsewhere]),
  });
  job = (await answer.json()) as Job;
  const approver = await secondPerson(api, ['operations']);
  expect((await approver.send('POST', `jobs/${job.id}/approve`)).body).toMatchObject({ state: 'running' });
  // As the worker does it.
  await api.app.get(OrderTransferRunner).step(new AbortController().signal);
  expect((await api.staff.get(`jobs/${job.id}`)).body).toMatchObject({ state: 'done', done: 7, failed: 0 });
});
afterAll(() => api.close());

const timelineOf = async (id: string) => ((await api.staff.get(`orders/${id}/timeline`)).body as Timeline).entries;
const eventsOf = async (id: string) =>
  (await timelineOf(id)).flatMap(({ detail }) => ('type' in detail ? [detail['type']] : []));
const moveMoney = (id: string) => api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
const rejectAndReturn = async (id: string) => {
  await api.staff.changeStatus(id, 3004);
  await moveMoney(id);
};

describe('an imported order', () => {
  it('says in its timeline who imported it, and that its past is what the file says', async () => {
    const entries = await timelineOf(claiming.id);
    const own = entries.find(({ version }) => version === 1);
    expect(own).toMatchObject({ detail: { type: 'OrderImported', job: job.id }, transaction_id: job.id });
    expect(own?.detail).toMatchObject({ actor: own?.actor, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    const past = entries.filter(({ version = 0 }) => version > 1);
    expect(past.length).toBe(claiming.events.length);
    expect(past[0]?.actor).toBe('imported: operator:opr_colleague');
    expect(past.every(({ actor, actor_name: name }) => actor.startsWith('imported: ') && name === null)).toBe(true);
    const { body } = await api.staff.get(`orders/${claiming.id}`);
    const { status_history: history, transaction_id: transaction } = body as OrderDetail;
    expect(history.every(({ actor }) => actor.startsWith('imported: '))).toBe(true);
    expect(transaction).toBe('tx');
    const [first, second] = await Promise.all([1, 2].map((at) => api.staff.get(`orders/${claiming.id}?version=${at}`)));
    expect([first?.status, first?.body]).toEqual([200, second?.body]);
  });

  it('puts nothing on sale when it is cancelled', async () => {
    await api.staff.changeStatus(large.id, 3004);
    const { body } = await api.staff.get(`listings/${product.listing_id}`);
    expect(body).toMatchObject({ quantity: 5, held: 0 });
  });

  it('is told to the ping stream when it changes here', async () => {
    await api.staff.changeStatus(claiming.id, 3004);
    const owner = ownerPool(api.databaseUrl);
    try {
      await owner.query(
        `insert into feed (position, stream, stream_position) select row_number() over (order by id), stream, stream_position from outbox`,
      );
      const { rows } = await owner.query(
        `select status_code, listing_id from (${PING_STREAM_ROWS}) as entry where order_id = $1`,
        [claiming.id],
      );
      const { listing_id } = (claiming.events[0].data as { product: { listing_id: string } }).product;
      expect(rows).toEqual([{ status_code: 3004, listing_id }]);
    } finally {
      await owner.end();
    }
  });

  it('gives back nothing that the provider does not confirm', async () => {
    await rejectAndReturn(unknown.id);
    await moveMoney(unknown.id);
    expect((await eventsOf(unknown.id)).slice(-2)).toEqual(['OrderRejected', 'PaymentNotConfirmed']);
  });

  it.each([
    ['as the file says', known, 0, ['OrderRejected', 'PaymentReleased']],
    ['with another amount', other, 1, ['OrderRejected', 'PaymentNotConfirmed']],
    ['as the file says, captured', taken, 0, ['OrderRejected', 'RefundRequested', 'RefundSucceeded']],
    ['with another amount, captured', takenElsewhere, 1, ['OrderRejected', 'PaymentNotConfirmed']],
  ])('asks the provider, which knows the payment %s', async (_, line, more, expected) => {
    const { data } = line.events.find(({ type }) => type === 'PaymentAuthorised')!;
    const isCaptured = line.events.some(({ type }) => type === 'PaymentCaptured');
    const cents = Number(data['amount_cents']) + more;
    await api.app.get(Pool).query(
      `insert into sandbox_payments (order_id, reference, amount_cents, captured_cents, state, created_at)
         values ($1, $2, $3, $4, 'authorised', now())`,
      [line.id, data['reference'], cents, isCaptured ? cents : null],
    );
    await rejectAndReturn(line.id);
    const events = await eventsOf(line.id);
    expect(events.slice(events.lastIndexOf('OrderRejected'))).toEqual(expected);
  });

  it('is imported by administrators only', async () => {
    const operator = await signIn(api, ['operations']);
    const refused = await operator.send('POST', 'jobs/import', {});
    expect([refused.status, codesOf(refused)]).toEqual([403, [40300]]);
  });
});
