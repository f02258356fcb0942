import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderMailList } from '#fulfilment/mail.contract';
import type { OrderNoteList } from '#orders/order-desk.contract';
import type { OrderDetail } from '#orders/order.contract';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { Macro, MacroList, MacroResult } from '../macro.contract.js';
import type { OrderQueue } from '../queue.contract.js';
import { WorkItems } from '../queues/work-items.js';

let api: TestApi;
let ann: SignedIn;
let broker: SignedIn;
let orderId: string;
let bought = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', {
    quantity: 500,
    seller: 'seller-1',
    confirmation: 'manual',
    confirm_within_minutes: 600,
  });
  ann = await signIn(api, ['support']);
  broker = await signIn(api, ['broker'], ['seller-1']);
});
afterAll(() => api.close());

beforeEach(async () => {
  bought += 1;
  orderId = await api.payment.bought({ ...cardBody(), ref_id: `macro-${bought}` });
  while (await api.app.get(WorkItems).step());
});

async function made(steps: readonly object[], name = 'Macro'): Promise<Macro> {
  const answer = await ann.send('POST', 'macros', { name, steps });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Macro;
}

const apply = (macro: Macro, by: Pick<SignedIn, 'send'> = ann) =>
  by.send('POST', `orders/${orderId}/macros/${macro.id}`);
const order = async () => (await ann.get(`orders/${orderId}`)).body as OrderDetail;
const notes = async () => ((await ann.get(`orders/${orderId}/notes`)).body as OrderNoteList).notes;
const mails = async () => ((await ann.get(`orders/${orderId}/mails`)).body as OrderMailList).mails;
const place = async () => (await ann.get(`orders/${orderId}/queue`)).body as OrderQueue;
const named = async (by: SignedIn) => ((await by.get('macros')).body as MacroList).macros.map(({ name }) => name);
async function audited(subject: string): Promise<AuditPage['entries']> {
  return ((await api.staff.get(`audit?subject=${subject}`)).body as AuditPage).entries;
}

const TAG = { type: 'tag', add: ['called'] };
const NOTE = { type: 'note', text: 'Called back.' };
const MAIL = { type: 'mail', kind: 'confirmation' };
const TICKETS = { type: 'mail', kind: 'tickets' };
const SNOOZE = { type: 'snooze', minutes: 60 };
const TAKE = { type: 'assign_me' };

describe('a macro', () => {
  it('does its steps in their order, each as if it were done by itself', async () => {
    const macro = await made([TAG, NOTE, MAIL, SNOOZE, TAKE], 'Called back');
    const before = await order();
    const answer = await apply(macro);
    expect([answer.status, answer.body]).toEqual([
      200,
      { steps: ['tag', 'note', 'mail', 'snooze', 'assign_me'].map((type) => ({ type, outcome: 'done' })) },
    ]);
    expect(await order()).toMatchObject({ version: before.version, tags: ['called'], assignee: ann.id });
    expect(await notes()).toMatchObject([
      { text: 'Called back.', visibility: 'internal', author: `operator:${ann.id}` },
    ]);
    expect(await mails()).toMatchObject([{ kind: 'confirmation', requested_by: `operator:${ann.id}` }]);
    const { snoozed_until: until } = await place();
    expect(Math.abs(Date.parse(until ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const entries = await audited(`order:${orderId}`);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'mail.requested',
      'order.assigned',
      'order.noted',
      'order.snoozed',
      'order.tagged',
    ]);
    for (const { actor, detail } of entries) {
      expect([actor, detail]).toEqual([`operator:${ann.id}`, expect.objectContaining({ macro: macro.id })]);
    }
    expect((await audited(`macro:${macro.id}`)).map(({ action, detail }) => ({ action, ...detail }))).toMatchObject([
      { action: 'macro.applied', order: orderId, steps: expect.any(Array) },
      { action: 'macro.created' },
    ]);
  });

  it('stops at a step that is refused, so that no note says what was not done', async () => {
    const answer = await apply(await made([TAG, TICKETS, NOTE]));
    const { steps } = answer.body as MacroResult;
    expect(steps).toMatchObject([
      { type: 'tag', outcome: 'done' },
      { type: 'mail', outcome: 'refused', errors: [{ code: 40902 }] },
      { type: 'note', outcome: 'skipped' },
    ]);
    expect(steps[1]?.errors?.[0]?.message).toContain('the order has no ticket files');
    expect([(await order()).tags, await notes(), await mails()]).toEqual([['called'], [], []]);
  });

  it('says what is so already, and keeps the other tags', async () => {
    await ann.send('PUT', `orders/${orderId}/tags`, ['vip', 'new']);
    const macro = await made([{ type: 'tag', add: ['called'], remove: ['new'] }]);
    expect((await apply(macro)).body).toEqual({ steps: [{ type: 'tag', outcome: 'done' }] });
    expect((await apply(macro)).body).toEqual({ steps: [{ type: 'tag', outcome: 'unchanged' }] });
    expect((await order()).tags).toEqual(['vip', 'called']);
  });

  it('refuses a snooze of an order that is in no queue', async () => {
    await ann.send('POST', `orders/${orderId}/deny`, { reason: 'denied' });
    while (await api.app.get(WorkItems).step());
    expect((await apply(await made([SNOOZE]))).body).toMatchObject({
      steps: [{ outcome: 'refused', errors: [{ code: 40902 }] }],
    });
  });

  it('does nothing if one of its steps is not for the caller', async () => {
    for (const [steps, by, reason] of [
      [[MAIL, TAG], broker, 'brokers cannot tag'],
      [[MAIL, TAKE], broker, 'brokers cannot tag'],
      [[MAIL, NOTE], broker, 'internal notes'],
      [[MAIL, TAKE], api.staff, 'only people'],
    ] as const) {
      const answer = await apply(await made(steps), by);
      expect(codesOf(answer)).toEqual([40300]);
      expect(messagesOf(answer)[0]).toContain(reason);
    }
    const viewer = await signIn(api, ['viewer']);
    expect(codesOf(await apply(await made([TAG]), viewer))).toEqual([40300]);
    expect([(await order()).tags, await mails()]).toEqual([[], []]);
  });

  it('is for brokers, on their own orders, if they may do all of it; they read no others and change none', async () => {
    const shared = await made([{ ...NOTE, visibility: 'partner' }, MAIL], 'For all');
    const ours = await made([NOTE], 'For colleagues');
    expect(await named(ann)).toEqual(expect.arrayContaining(['For all', 'For colleagues']));
    expect(await named(broker)).toContain('For all');
    expect(await named(broker)).not.toContain('For colleagues');
    expect((await apply(shared, broker)).body).toMatchObject({ steps: [{ outcome: 'done' }, { outcome: 'done' }] });
    const stranger = await signIn(api, ['broker'], ['seller-2']);
    expect(codesOf(await apply(shared, stranger))).toEqual([40400]);
    expect(codesOf(await broker.send('POST', 'macros', { name: 'x', steps: [MAIL] }))).toEqual([40300]);
    expect(codesOf(await broker.send('PATCH', `macros/${ours.id}`, { name: 'x' }))).toEqual([40300]);
    expect(codesOf(await broker.send('DELETE', `macros/${shared.id}`))).toEqual([40300]);
  });

  it('is changed in part, stored sealed, and gone when removed', async () => {
    const macro = await made([{ ...NOTE, text: 'She sounded angry.' }], 'First');
    expect((await ann.send('PATCH', `macros/${macro.id}`, { name: 'Second' })).body).toEqual({
      id: macro.id,
      name: 'Second',
      steps: [{ type: 'note', text: 'She sounded angry.', visibility: 'internal' }],
    });
    expect(await everythingStored(api.pool)).not.toContain('She sounded angry.');
    expect((await ann.send('PATCH', `macros/${macro.id}`, { steps: [TAKE] })).body).toMatchObject({
      name: 'Second',
      steps: [TAKE],
    });
    expect((await ann.send('DELETE', `macros/${macro.id}`)).status).toBe(204);
    expect(codesOf(await apply(macro))).toEqual([40400]);
    expect(codesOf(await ann.send('PATCH', `macros/${macro.id}`, { name: 'x' }))).toEqual([40400]);
    expect(codesOf(await ann.send('DELETE', `macros/${macro.id}`))).toEqual([40400]);
    expect(codesOf(await ann.send('POST', `orders/ord_unknown/macros/${(await made([TAG])).id}`))).toEqual([40400]);
  });

  it.each([
    [{ steps: [TAG] }, 'name'],
    [{ name: 'x', steps: [] }, 'steps'],
    [{ name: 'x', steps: [TAG, TAG] }, 'steps'],
    [{ name: 'x', steps: [{ type: 'tag' }] }, 'steps.0'],
    [{ name: 'x', steps: [{ type: 'note', text: ' ' }] }, 'steps.0.text'],
    [{ name: 'x', steps: [{ type: 'mail', kind: 'greeting' }] }, 'steps.0.kind'],
    [{ name: 'x', steps: [{ type: 'snooze', minutes: 0 }] }, 'steps.0.minutes'],
    [{ name: 'x', steps: [{ type: 'refund' }] }, 'steps.0.type'],
  ])('that is %j is refused by the name of %s', async (body, field) => {
    const answer = await ann.send('POST', 'macros', body);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(field);
  });
});
