import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportColumn } from '../order-export.contract.js';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import type { ExportRequest } from './order-export.js';
import { PING_STREAM_ROWS } from '#outbound/ping-stream.projection';
import { verify } from '#upkeep/verify';
import { ALL, Installation, ORIGIN } from '../../../../test/support/orders/installation.js';
import { buyerOf, linesText, type OrderLine, orderLines } from '../../../../test/support/orders/order-lines.js';

const ORDERS = 600;

const tally = (outcomes: readonly { outcome: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};
type Event = OrderLine['events'][number];
/** Their events without the import, which each installation records itself. */
const linesOf = (file: Buffer) =>
  String(file)
    .trim()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as OrderLine;
      return { ...line, events: line.events.slice(1) };
    });
/** What the log has of imported events. */
const claimed = (events: readonly Event[]) =>
  events.map((event) => ({
    ...event,
    metadata: { ...event.metadata, actor: 'imported: staff:administrator' },
  }));
const TABLES = ['events', 'outbox', 'orders', 'status_history', 'pings', 'purchase_keys', 'personal_data_keys'];

let source: Installation;
let target: Installation;
const lines = orderLines(ORDERS);
beforeAll(async () => {
  [source, target] = await Promise.all([Installation.start(), Installation.start()]);
  await source.owner.query(
    `insert into listings (id, terms, offered, available, created_at, updated_at)
     values ('listing-1', '{"eventId":"event","splitRule":"any"}', 7, 7, now(), now())`,
  );
  expect(tally(await source.import(linesText(lines)))).toEqual({ done: ORDERS });
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

describe('orders that were exported and imported', () => {
  it('are the same in another installation, whose tables agree with its log', async () => {
    const file = await source.export();
    expect(tally(await target.import(file))).toEqual({ done: ORDERS });
    expect(linesOf(await target.export())).toEqual(linesOf(file));
    const first = linesOf(file).at(-1);
    expect(first?.id).toBe(lines[0]?.id);
    expect(first?.events).toEqual(claimed(lines[0]?.events ?? []));
    for (const { owner, sealer } of [source, target]) {
      const keys = new LedgerKeys([new LedgerKey(sealer.ledgerSecret)]);
      expect((await verify(owner, { keys })).differences).toEqual([]);
    }
  });

  it('are written once, also if two import them at once', async () => {
    const more = linesText(orderLines(ORDERS + 50, 1).slice(ORDERS));
    const both = await Promise.all([source.import(more), source.import(more)]);
    expect(tally(both.flat())).toEqual({ done: 50, unchanged: 50 });
    const before = await Promise.all(TABLES.map((table) => source.count(table)));
    expect(tally(await source.preview(linesText(lines)))).toEqual({ unchanged: ORDERS });
    expect(tally(await source.import(linesText(lines)))).toEqual({ unchanged: ORDERS });
    expect(await Promise.all(TABLES.map((table) => source.count(table)))).toEqual(before);
  });

  it('are written whole between lines that are known or refused', async () => {
    const fresh = orderLines(ORDERS + 56, 1).slice(ORDERS + 53);
    const broken = { ...fresh[0]!, id: `ord_${'d'.repeat(32)}`, personal_data_masked: true };
    const given = [lines[0]!, fresh[0]!, broken, fresh[1]!, lines[1]!, fresh[2]!];
    expect(tally(await source.import(linesText(given)))).toEqual({ done: 3, unchanged: 2, refused: 1 });
    const file = await source.export({ selection: { ids: fresh.map(({ id }) => id) } });
    const shown = linesOf(file).reverse();
    expect(shown.map(({ events }) => events)).toEqual(fresh.map(({ events }) => claimed(events)));
    const keys = new LedgerKeys([new LedgerKey(source.sealer.ledgerSecret)]);
    expect((await verify(source.owner, { keys })).differences).toEqual([]);
  });

  it('keep the terms of other tickets that were offered, and refuse those of another key', async () => {
    const [line] = orderLines(ORDERS + 51, 1).slice(ORDERS + 50);
    if (!line) throw new Error('There is one line.');
    const { recorded_at, metadata } = line.events.at(-1) ?? line.events[0];
    const offer = {
      event_id: 'event',
      listing_id: 'listing-2',
      listing_version: 1,
      quantity: 1,
      terms: null,
      sealed_terms: { text: 'Row H.' },
      expires_at: recorded_at,
    };
    const offered = {
      event_id: `evt_${'e'.repeat(32)}`,
      type: 'ReplacementProposed',
      recorded_at,
      metadata,
      data: offer,
    };
    const given = { ...line, events: [...line.events, offered] };
    const foreign = { ...line, events: [...line.events, { ...offered, data: { ...offer, sealed_terms: 'AAAA' } }] };
    expect(await source.preview(linesText([foreign]))).toMatchObject([
      { reason: expect.stringContaining('sealed_terms') },
    ]);
    expect(tally(await source.import(linesText([given])))).toEqual({ done: 1 });
    const file = await source.export({ selection: { ids: [line.id] } });
    expect(JSON.parse(String(file)).events.at(-1).data).toEqual(offer);
    expect(tally(await target.import(file))).toEqual({ done: 1 });
    expect(linesOf(await target.export({ selection: { ids: [line.id] } }))).toEqual(linesOf(file));
  });

  it('have their tracking numbers without blanks', async () => {
    const shipped = orderLines(ORDERS + 300, 7)
      .slice(ORDERS + 100)
      .find(({ events }) => events.some(({ data }) => data['fulfillment'] !== undefined));
    if (!shipped) throw new Error('There is one.');
    const fulfillment = { type: 'ship', data: { carrier: 'UPS', tracking_number: ' 1Z 77\u00a07' } };
    for (const event of shipped.events) if (event.data['fulfillment']) event.data['fulfillment'] = fulfillment;
    expect(tally(await source.import(linesText([shipped])))).toEqual({ done: 1 });
    const { rows } = await source.owner.query(
      `select tracking_number, purchase #>> '{fulfillment,data,tracking_number}' as shown from orders where id = $1`,
      [shipped.id],
    );
    expect(rows).toEqual([{ tracking_number: '1Z777', shown: '1Z777' }]);
  });

  it('have the digits of long whole numbers', async () => {
    const [line] = orderLines(ORDERS + 302, 7).slice(ORDERS + 301);
    if (!line) throw new Error('There is one line.');
    line.events[0].data['market_specific_fields'] = { cart_id: 'HERE' };
    const text = String(linesText([line])).replaceAll('"HERE"', '1152921506151679042');
    expect(tally(await source.import(Buffer.from(text)))).toEqual({ done: 1 });
    const file = await source.export({ selection: { ids: [line.id] } });
    expect(String(file)).toContain('{"cart_id":1152921506151679042}');
    expect(tally(await target.import(file))).toEqual({ done: 1 });
    expect(linesOf(await target.export({ selection: { ids: [line.id] } }))).toEqual(linesOf(file));
  });

  it('tell nobody: no ping is due, and none is in the ping stream', async () => {
    expect(await source.count(`pings where state <> 'delivered'`)).toBe(0);
    await source.owner.query(
      `insert into feed (position, stream, stream_position) select row_number() over (order by id), stream, stream_position from outbox`,
    );
    expect(await source.count('feed')).toBeGreaterThan(ORDERS);
    expect(await source.count(`(${PING_STREAM_ROWS}) as entry`)).toBe(0);
  });

  it('begin with the import: its job, who began it, and the digest of the line', async () => {
    const [line] = lines;
    if (!line) throw new Error('There is one.');
    const sha256 = createHash('sha256').update(JSON.stringify(line)).digest('hex');
    const { rows } = await source.owner.query(
      `select type, data, metadata from events where stream = $1 order by position limit 2`,
      [`order-${line.id}`],
    );
    const { job, actor } = ORIGIN;
    expect(rows).toMatchObject([
      {
        type: 'OrderImported',
        data: { job, actor, sha256, events: line.events.length },
        metadata: { transaction_id: job, actor },
      },
      { type: 'PurchaseReceived' },
    ]);
    const { rows: histories } = await source.owner.query(
      `select distinct split_part(actor, ':', 1) as kind from status_history`,
    );
    expect(histories).toEqual([{ kind: 'imported' }]);
  });

  it('hold no tickets of a listing here', async () => {
    const { rows } = await source.owner.query('select id, available, offered from listings');
    expect(rows).toEqual([{ id: 'listing-1', available: 7, offered: 7 }]);
    expect(await source.count('orders where stock_held > 0 or other_tickets is not null')).toBe(0);
  });
});

describe('a line that is no order of this installation', () => {
  const line = (): OrderLine => {
    const [first] = orderLines(1, 3);
    if (!first) throw new Error('no line');
    return first;
  };
  const other = (change: (line: OrderLine) => void): OrderLine => {
    const changed = line();
    changed.id = changed.id.replace(/.$/, 'f');
    changed.events[0].data['ref_id'] = 'other';
    changed.events[0].data['duplicate_key'] = 'ref:other';
    change(changed);
    return changed;
  };
  const CARD = { type: 'creditcard', brand: null, last_four: null, expiry_month: null, expiry_year: null };
  const paymentEvent = (one: OrderLine, type: string, data: Event['data']) => ({ ...one.events[0], type, data });
  const authorise = (one: OrderLine, amount_cents: number) => {
    one.events.push(paymentEvent(one, 'PaymentAuthorised', { provider: 'p', reference: 'r', amount_cents }));
  };
  const paid = (change: (line: OrderLine, total: number) => void) =>
    other((one) => {
      one.events.length = 1;
      Object.assign(one.events[0].data, { payment: CARD, total_cents: 1_000 });
      change(one, 1_000);
    });
  const FUTURE = new Date(Date.now() + 3_600_000).toISOString();

  it.each<[string, object | string, string]>([
    ['no JSON', '{', 'is not JSON'],
    ['no order', { id: 'ord_1', events: [] }, 'id: must be the id of an order'],
    ['no events', other((one) => Object.assign(one, { events: [] })), 'events: '],
    ['an unknown type', other((one) => (one.events[0].type = 'Nothing')), 'events.0.type: '],
    ['a wrong field', other((one) => (one.events[0].data['total_cents'] = '1')), 'events.0.data.total_cents: '],
    ['a NUL', other((one) => (one.events[0].data['more'] = '\0')), 'events.0.data: '],
    ['another begin', other((one) => one.events.reverse()), 'an order begins with PurchaseReceived'],
    ['two begins', other((one) => one.events.push(one.events[0])), 'an order begins with PurchaseReceived'],
    ['the future', other((one) => (one.events[0].recorded_at = FUTURE)), 'events.0.recorded_at: is in the future'],
    ['masked data', other((one) => (one.personal_data_masked = true)), 'orders:reveal'],
    ['foreign data', other((one) => (one.events[0].data['personal'] = 'AAAA')), 'with the key of another installation'],
    [
      'a card number',
      other((one) => (one.events[0].data['market_specific_fields'] = { card: '4111 1111 1111 1111' })),
      'events.0.data.market_specific_fields: must not contain a card number',
    ],
    [
      'a wrong step',
      other((one) => {
        const status = (status: string, status_code: number) => ({ status, status_message: 'x', status_code });
        const event = (type: string, at: object) => ({ ...one.events[0], type, data: { status: at } });
        one.events = [
          one.events[0],
          event('OrderRejected', status('rejected', 3004)),
          event('OrderConfirmed', status('confirmed', 2000)),
        ];
      }),
      'an order that is rejected does not become confirmed',
    ],
    [
      'an open payment',
      other((one) => {
        one.events.length = 1;
        one.events[0].data['payment'] = CARD;
      }),
      'its payment is still open',
    ],
    [
      'more money than its total',
      paid((one, total) => authorise(one, total + 1)),
      "data.amount_cents: 1001 is not the order's total, 1000",
    ],
    [
      'money twice',
      paid((one, total) => {
        authorise(one, total);
        authorise(one, total);
      }),
      'data.provider: the order awaits no payment',
    ],
    [
      'money of nobody',
      other((one) => {
        one.events.length = 1;
        one.events[0].data['payment'] = null;
        authorise(one, 1_000);
      }),
      'data.provider: the order awaits no payment',
    ],
    [
      'money of others that went back',
      paid((one, total) => {
        authorise(one, total);
        one.events.push(paymentEvent(one, 'PaymentReleased', { provider: 'p', reference: 'other', how: 'voided' }));
      }),
      'data.reference: is not the payment of the order',
    ],
    [
      'a part that nobody was owed',
      paid((one, total) => {
        authorise(one, total);
        const part = { provider: 'p', reference: 'r', how: 'refunded', amount_cents: 1, part_reference: 'x' };
        one.events.push(paymentEvent(one, 'PaymentPartlyReleased', part));
      }),
      'data.amount_cents: 1 is not the difference to be given back, 0',
    ],
    ['another key', other((one) => (one.events[0].data['duplicate_key'] = 'ref:stolen')), 'duplicate_key: '],
    [
      'other events',
      {
        ...line(),
        events: other(() => undefined).events.map((event) => ({ ...event, event_id: `evt_${'0'.repeat(32)}` })),
      },
      'other events is here',
    ],
  ])('is refused for %s', async (_, given, reason) => {
    await source.import(linesText([line()]));
    const text = typeof given === 'string' ? Buffer.from(given) : linesText([given]);
    const before = await source.count('events');
    const [outcome] = await source.import(text);
    expect(outcome).toMatchObject({ line: 1, outcome: 'refused' });
    expect(outcome?.reason).toContain(reason);
    expect(await source.preview(text)).toEqual([outcome]);
    expect(await source.count('events')).toBe(before);
  });

  it('keeps its payment to the order that has it', async () => {
    const paid = lines.find(({ events }) => events.some(({ type }) => type === 'PaymentAuthorised'));
    const copies = ['a', 'b'].map((ref) => {
      const copy = structuredClone(paid!);
      copy.events[0].data['ref_id'] = ref;
      copy.events[0].data['duplicate_key'] = `ref:${ref}`;
      for (const event of copy.events) event.event_id = event.event_id.replace(/..$/, `${ref}${ref}`);
      return { ...copy, id: `ord_${ref.repeat(32)}` };
    });
    const refused = { outcome: 'refused', reason: 'another order has this payment' };
    expect(await source.import(linesText(copies))).toMatchObject([refused, refused]);
    const fresh = await Installation.start();
    try {
      expect(await fresh.import(linesText(copies))).toMatchObject([{ outcome: 'done' }, refused]);
    } finally {
      await fresh.stop();
    }
  });

  it('keeps its ref_id to the order that has it', async () => {
    const taken = lines.find(
      ({ events }) => events[0].data['ref_id'] !== null && !JSON.stringify(events).includes('PaymentDeclined'),
    );
    const [outcome] = await source.import(linesText([{ ...taken!, id: `ord_${'e'.repeat(32)}` }]));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('ref_id') as string });
  });
});

describe('a file for a spreadsheet', () => {
  const parsed = async (request: Partial<ExportRequest>) =>
    parse<Record<string, string>>(await source.export({ format: 'csv', ...request }), { columns: true, bom: true });
  const isBought = ({ events }: (typeof lines)[number]) => JSON.stringify(events).includes('buyer');
  const bought = lines.filter(isBought).slice(0, 3);
  const selection = { ids: bought.map(({ id }) => id) };

  it('has a row for each order, whose texts do not run', async () => {
    const rows = await parsed({ selection });
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(selection.ids));
    const row = rows.find(({ id }) => id === bought[0]?.id);
    const number = lines.indexOf(bought[0]!);
    expect(row).toMatchObject({
      email: `buyer${number}@example.com`,
      first_name: 'Zoë',
      last_name: `'=HYPERLINK("${number}")`,
      phone: `'+1 212 555 0142`,
      address1: buyerOf(number).delivery.address1,
      'placed_at (UTC)': bought[0]?.events[0].recorded_at,
    });
  });

  it('masks the buyers, unless a program that may reveal them asks', async () => {
    const rows = await parsed({ selection, isMasked: true });
    expect(rows.map(({ email }) => email)).toEqual(Array(3).fill('b••@example.com'));
    expect(rows[0]).toMatchObject({ phone: '••42', last_name: "'=••", state: 'NY' });
    const whole = String(await source.export({ selection, isMasked: true }));
    expect(whole).not.toContain('buyer1');
    expect(tally(await target.import(Buffer.from(whole)))).toEqual({ refused: 3 });
  });

  it('has the chosen columns in their order, of the orders that meet a condition', async () => {
    const columns: ExportColumn[] = ['quantity', 'id', 'total'];
    const where = { field: 'quantity', op: '=', value: 3 } as const;
    const rows = await parsed({ columns, selection: { where } });
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    expect(rows.length).toBe(await source.exporting.count({ selection: { where }, access: ALL }));
    expect(rows.every(({ quantity }) => quantity === '3')).toBe(true);
    const json = String(await source.export({ format: 'ndjson', columns, selection: { where } }));
    expect(
      json
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual(rows.map(({ quantity, id, total }) => ({ quantity: Number(quantity), id, total: Number(total) })));
  });

  it('shows a seller only own orders, and reads every page once', async () => {
    expect(await parsed({ access: { sellers: ['nobody'], buyers: true } })).toEqual([]);
    const all = await parsed({ columns: ['id'] });
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBe(await source.count('orders'));
  });
});
