import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { verify } from '#upkeep/verify';
import { Installation } from '../../../../test/support/orders/installation.js';
import { linesText, type OrderLine, orderLines } from '../../../../test/support/orders/order-lines.js';

type Event = OrderLine['events'][number];

let source: Installation;
let target: Installation;
beforeAll(async () => {
  [source, target] = await Promise.all([Installation.start(), Installation.start()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

/** Without the import, which each installation records itself. */
const eventsIn = (file: Buffer) => (JSON.parse(String(file)) as OrderLine).events.slice(1);

/** A paid order that was captured, refunded in part, and disputed, with a note of each person. */
function moneyLine(change: (events: Event[]) => void = () => undefined): OrderLine {
  const [first] = orderLines(1, 11);
  if (!first) throw new Error('no line');
  const [received] = first.events;
  const payment = { provider: 'sandbox', reference: 'sandbox_money' };
  const money = (amount_cents: number) => ({ amount_cents, currency: 'USD' });
  const card = { type: 'creditcard', brand: null, last_four: null, expiry_month: null, expiry_year: null };
  const parts = { price_cents: 900, fees_cents: 50, delivery_cents: 30, tax_cents: 20 };
  const status = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 };
  const note = (text: string) => ({ sealed_note: { text } });
  const [refund_id, dispute_id] = ['rf_1', 'dp_1'];
  const asked = {
    quantity: null,
    reason: 'goodwill',
    origin: 'desk',
    requested_by: 'operator:ann',
    needs_approval: true,
  };
  const dispute = { dispute_id, reference: 'du_1', kind: 'card', reason: 'fraud', due_at: '2026-02-01T00:00:00.000Z' };
  const terms = { ref_id: 'money', duplicate_key: 'ref:money', variant: 'payment', total_cents: 1_000, parts };
  const past: [string, Event['data']][] = [
    ['PurchaseReceived', { ...received.data, ...terms, payment: card, currency: 'USD', capture: 'confirmation' }],
    ['PaymentPrepared', { ...payment, ...money(1_000), key: null }],
    ['PaymentAuthorised', { ...payment, ...money(1_000), capture_before: '2026-01-08T00:00:00.000Z' }],
    ['OrderConfirmed', { status }],
    ['PaymentCaptured', { ...payment, ...money(1_000) }],
    ['ProviderFeeCharged', { ...payment, reference: 'fee_1', ...money(59), for: 'charge' }],
    [
      'RefundRequested',
      { ...asked, ...money(300), refund_id, lines: [{ account: 'losses', amount_cents: 300 }], ...note('Late.') },
    ],
    ['RefundApproved', { refund_id, approved_by: 'operator:bob', ...note('Fine.') }],
    ['RefundSent', { refund_id, reference: 're_1' }],
    ['RefundSucceeded', { refund_id, reference: 're_1' }],
    ['DisputeOpened', { ...dispute, ...money(700), inquiry: true }],
    ['DisputeOpened', { ...dispute, ...money(700), inquiry: false }],
    ['DisputeEvidenceSent', { dispute_id, ...note('By post, too.') }],
    ['DisputeClosed', { dispute_id, state: 'won' }],
    ['RefundFailed', { refund_id, reference: 're_1', reason: 'account closed' }],
  ];
  const events = past.map(([type, data], index) => {
    return { ...received, type, data, event_id: `evt_${index.toString(16).padStart(32, 'b')}` };
  });
  change(events);
  return { ...first, id: `ord_${'1b'.repeat(16)}`, events: events as OrderLine['events'] };
}

describe('an order whose money moved', () => {
  it('is the same after an export and an import, with its notes', async () => {
    const selection = { ids: [moneyLine().id] };
    expect(await source.import(linesText([moneyLine()]))).toMatchObject([{ outcome: 'done' }]);
    const file = await source.export({ selection });
    const claimed = moneyLine().events.map((event) => {
      return { ...event, metadata: { ...event.metadata, actor: 'imported: staff:administrator' } };
    });
    expect(eventsIn(file)).toEqual(claimed);
    expect(await source.count('disputes')).toBe(1);
    const tasks = await source.owner.query('select kind, done_at is null as open from money_tasks order by kind');
    expect(tasks.rows).toEqual([
      { kind: 'dispute', open: false },
      { kind: 'refund_failed', open: true },
    ]);
    expect(await target.import(file)).toMatchObject([{ outcome: 'done' }]);
    expect(eventsIn(await target.export({ selection }))).toEqual(eventsIn(file));
    const keys = new LedgerKeys([new LedgerKey(target.sealer.ledgerSecret)]);
    expect((await verify(target.owner, { keys })).differences).toEqual([]);
  });

  it('has its task while its dispute is open', async () => {
    const line = { ...moneyLine((events) => void (events.length = 12)), id: `ord_${'1d'.repeat(16)}` };
    line.events.forEach((event, index) => {
      event.event_id = `evt_${index.toString(16).padStart(32, 'd')}`;
      if (event.data['reference'] === 'sandbox_money') event.data['reference'] = 'sandbox_open';
    });
    Object.assign(line.events[0].data, { ref_id: 'open', duplicate_key: 'ref:open' });
    expect(await target.import(linesText([line]))).toMatchObject([{ outcome: 'done' }]);
    const { rows } = await target.owner.query(
      `select kind, reference, theirs, done_at from money_tasks where order_id = '${line.id}'`,
    );
    expect(rows).toEqual([{ kind: 'dispute', reference: 'du_1', theirs: 7, done_at: null }]);
  });

  const put = (at: number, change: object) => (events: Event[]) => void Object.assign(events[at]!.data, change);
  const cut = (length: number) => (events: Event[]) => void (events.length = length);
  const twice = (at: number) => (events: Event[]) => void events.splice(at + 1, 0, events[at]!);
  const without = (at: number) => (events: Event[]) => void events.splice(at, 1);

  it.each<[string, (events: Event[]) => void, string]>([
    ['other parts', put(0, { parts: { price_cents: 1 } }), 'events.0.data.parts.fees_cents: '],
    [
      'another amount prepared',
      put(1, { amount_cents: 999 }),
      "events.1.data.amount_cents: 999 is not the order's total",
    ],
    ['a payment that was prepared twice', twice(1), 'events.2.data.provider: the order awaits no payment'],
    ['another provider', put(2, { provider: 'p' }), 'events.2.data.provider: is not that of the payment'],
    ['more captured than was held', put(4, { amount_cents: 1_001 }), '1001 is more than was held, 1000'],
    ['another currency captured', put(4, { currency: 'EUR' }), 'events.4.data.currency: is not that of the payment'],
    ['a capture of another payment', put(4, { reference: 'x' }), 'reference: is not the payment of the order'],
    ['a capture made twice', twice(4), 'events.5.data.reference: nothing of the payment is held'],
    ['a fee charged twice', twice(5), 'events.6.data.reference: is recorded twice'],
    ['a refund without a capture', without(4), 'amount_cents: 300 is more than could be refunded, 0'],
    ['a refund of nothing', put(6, { amount_cents: 0 }), 'events.6.data.amount_cents: '],
    [
      'a refund of more than was captured',
      put(6, { amount_cents: 1_001, lines: [{ account: 'losses', amount_cents: 1_001 }] }),
      '1001 is more than could be refunded, 1000',
    ],
    [
      'a refund that nobody bears',
      put(6, { lines: [] }),
      'events.6.data.lines: 0 is not the amount of the refund, 300',
    ],
    ['a refund of too many tickets', put(6, { quantity: 99 }), "quantity: 99 is more than the order's tickets"],
    ['a refund asked for twice', twice(6), 'events.7.data.refund_id: is that of another refund'],
    ['a refund approved twice', twice(7), 'events.8.data.refund_id: the refund is pending'],
    ['a refund made without an approval', without(7), 'events.7.data.refund_id: the refund is waiting_for_approval'],
    ['an unknown refund', put(9, { refund_id: 'rf_9' }), 'events.9.data.refund_id: is no refund of the order'],
    ['a refund still to be made', cut(9), 'a refund is still to be made'],
    ['an unknown dispute', put(13, { dispute_id: 'dp_9' }), 'events.13.data.dispute_id: is no dispute of the order'],
    ['a dispute opened twice', twice(11), 'events.12.data.dispute_id: is that of another dispute'],
    ['evidence sent twice', twice(12), 'events.13.data.dispute_id: the dispute is sent'],
    ['a dispute that ends twice', twice(13), 'events.14.data.dispute_id: the dispute is won'],
    ['a card dispute without a reference', put(10, { reference: null }), 'reference: does not fit the kind card'],
  ])('is refused for %s', async (_, change, reason) => {
    const line = { ...moneyLine(change), id: `ord_${'1c'.repeat(16)}` };
    const [outcome] = await source.preview(linesText([line]));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: expect.stringContaining(reason) as string });
  });
});
