import type { OrderEvent } from '#domain/order-events';
import { type KnownOrder, type Order, orderFold } from '#domain/order-state';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { SeededRandomness } from '#base/seeded-randomness';
import { randomCommand, randomPurchase } from './random-orders.js';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const MOST_STEPS = 8;

type LineEvent = {
  event_id: string;
  type: string;
  recorded_at: string;
  metadata: object;
  data: Record<string, unknown>;
};
export type OrderLine = {
  id: string;
  personal_data_masked?: boolean;
  tags: string[];
  events: [LineEvent, ...LineEvent[]];
};

const rules = new OrderRules(loadStatusCatalogue());

/** Past orders as an export writes them, with what is sealed in clear. Their ids and times follow from their number. */
export function orderLines(orders: number, seed = 1): OrderLine[] {
  const random = new SeededRandomness(seed);
  return Array.from({ length: orders }, (_, number) => orderLine(random, number));
}

export function linesText(lines: readonly object[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function orderLine(random: SeededRandomness, number: number): OrderLine {
  const offer = { listingId: `listing-${random.integer(9)}`, eventId: `event-${random.integer(3)}`, version: 1 };
  const events: LineEvent[] = [];
  let order: Order = orderFold.initial;
  let at = START_MS + number * 60_000;
  const id = (prefix: string, part: number) =>
    `${prefix}_${number.toString(16).padStart(16, '0')}${part.toString(16).padStart(16, '0')}`;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const command =
      step === 0
        ? ({ type: 'ReceivePurchase', purchase: randomPurchase(random, offer, number) } as const)
        : randomCommand(random, order as KnownOrder);
    if (!command || command.type === 'ErasePersonalData') break;
    const decided = rules.decide(command, order);
    if (decided instanceof Error) continue;
    for (const event of decided) {
      const position = events.length + 1;
      const recorded_at = new Date(at).toISOString();
      const metadata = { transaction_id: `tx-${number}-${step}`, actor: 'staff:administrator' };
      const row = { stream: '', position, event_id: id('evt', position), metadata, recorded_at };
      order = orderFold.evolve(order, { ...row, ...event });
      events.push({ event_id: row.event_id, type: event.type, recorded_at, metadata, data: inClear(event, number) });
    }
    at += 1 + random.integer(HOUR_MS);
  }
  for (const end of endsOf(order)) {
    const last = { event_id: id('evt', 0x100 + events.length), recorded_at: new Date(at).toISOString() };
    events.push({ ...last, ...end, metadata: { transaction_id: 'tx', actor: 'system:payment' } });
  }
  const [first, ...later] = events;
  if (!first) throw new Error('An order has events.');
  return { id: id('ord', 0), tags: number % 7 === 0 ? ['vip', 'say "hi", {x}\\'] : [], events: [first, ...later] };
}

/** A payment that is open is not past, nor is a refund that is still to be made. */
function endsOf(order: Order): Pick<LineEvent, 'type' | 'data'>[] {
  if (!order.known) return [];
  const isOpen = order.stage === 'awaiting_payment';
  const pending = order.refunds.filter(({ state }) => state === 'pending');
  return [
    ...(isOpen ? [{ type: 'PaymentDeclined', data: { provider: 'sandbox', reason: 'No.' } }] : []),
    ...pending.map(({ id }) => ({ type: 'RefundSucceeded', data: { refund_id: id, reference: `re_${id}` } })),
  ];
}

function inClear(event: OrderEvent, number: number): Record<string, unknown> {
  if (event.type === 'PurchaseReceived') return { ...event.data, personal: event.data.personal && buyerOf(number) };
  if (!('note' in event.data)) return event.data;
  const { note, ...data } = event.data;
  return { ...data, sealed_note: { text: note } };
}

/** What a spreadsheet would run stands there too. */
export function buyerOf(number: number) {
  const person = { first_name: 'Zoë', last_name: `=HYPERLINK("${number}")`, phone: '+1 212 555 0142' };
  const address = { address1: '1, "Main" St', city: 'Łódź', state: 'NY', country: 'US', zip: '10001' };
  return {
    user: { email: `buyer${number}@example.com`, phone: null },
    delivery: { ...person, ...address },
    billing: { ...person, ...address, last_name: 'Payer' },
    ...(number % 5 === 0 && { market_specific_fields: { campaign: `c-${number}` } }),
  };
}
