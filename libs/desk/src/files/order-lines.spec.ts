import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { cases } from '../../../../test/support/cases.js';
import { noteIdAt, termsIdOf } from '#orders/event-notes';
import { writeOrderLine } from './order-lines.js';
import { Utf8Text } from '#base/utf8-text';

const ID = 'ord_1';
const sealer = new Sealer(randomBytes(32), new SystemRandomness());
const key = sealer.newOrderKey();
const FIELDS = {
  client_id: 'client',
  variant: 'payment',
  stage: 'placed',
  total: 12.34,
  seller: null,
  transaction_id: 'tx',
  placed_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
  version: 3,
  tags: ['vip'],
  personal_data: 'kept',
};

type Given = Readonly<{ purchase: object; events?: readonly object[]; personal?: object; isMasked?: boolean }>;

/** The line of an order, read again. */
function lineOf({ purchase, events = [], personal, isMasked = false }: Given): Record<string, unknown> {
  const texts = [
    ID,
    JSON.stringify(FIELDS),
    JSON.stringify(purchase),
    events.map((event) => JSON.stringify(event)).join('\u001e'),
    personal ? sealer.sealPersonal(ID, key, personal).toString('base64') : null,
    key.toString('base64'),
  ];
  const out = new Utf8Text();
  writeOrderLine(out, texts, sealer, isMasked);
  return JSON.parse(out.take().toString()) as Record<string, unknown>;
}

// What looks like a part of a document.
const HOSTILE = [
  '"delivery_method":{"type":"x","data":{}}',
  '","data":{}}',
  '$&$1',
  '"personal":"AAAA"',
  '"market_specific_fields":',
  '\\',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' }));
const marketFields = fc.oneof(
  fc.dictionary(text, text),
  fc.record({ delivery_method: fc.constant({ type: 'x', data: {} }), personal: text, sealed_note: text }),
);
const purchases = fc.record(
  {
    id: text,
    product: fc.record({ event_id: text, listing_id: text }),
    delivery_method: fc.record({ type: text, data: fc.constant({}) }, { noNullPrototype: true }),
    fulfillment: fc.record({ type: fc.constant('download'), data: fc.record({ url: text }) }),
    market_specific_fields: marketFields,
    ref_id: text,
  },
  { requiredKeys: ['id', 'product', 'delivery_method', 'fulfillment'] },
);

describe('the line of an order', () => {
  it('is the purchase with the buyer in place of nothing, whatever stands in it', () => {
    const people = fc.record(
      { user: fc.dictionary(text, text), delivery: fc.dictionary(text, text), market_specific_fields: marketFields },
      { requiredKeys: ['user', 'delivery'] },
    );
    fc.assert(
      fc.property(purchases, people, (purchase, personal) => {
        const { market_specific_fields: fields, user, delivery } = personal;
        expect(lineOf({ purchase, personal: { ...personal, billing: null } })).toEqual(
          JSON.parse(
            JSON.stringify({
              ...purchase,
              delivery_method: { type: purchase.delivery_method.type, data: delivery },
              ...(fields && { market_specific_fields: fields }),
              ...FIELDS,
              buyer: user,
              personal_data_masked: false,
              events: [],
            }),
          ),
        );
      }),
      { numRuns: cases(50) },
    );
  });

  it('has the events with what they have sealed in clear, and other texts as they are', () => {
    const personal = { user: { email: 'ada@example.com' }, delivery: {}, billing: null };
    const sealedNote = (position: number) =>
      sealer.sealNote(ID, noteIdAt(position), key, 'Flooded "$&".').toString('base64');
    const sealed = sealer.sealPersonal(ID, key, personal).toString('base64');
    const other = { note: '"personal":"AAAA"', market_specific_fields: { personal: 'AAAA', sealed_note: sealed } };
    const events = [
      { type: 'PurchaseReceived', data: { ...other, personal: sealed } },
      { type: 'OrderConfirmed', data: { sealed_note: sealedNote(2) } },
      { type: 'OrderConfirmed', data: { sealed_note: sealedNote(2) } },
    ];
    expect(lineOf({ purchase: { id: ID }, events })['events']).toEqual([
      { type: 'PurchaseReceived', data: { ...other, personal } },
      { type: 'OrderConfirmed', data: { sealed_note: { text: 'Flooded "$&".' } } },
      // Sealed for another place, so it does not open.
      events[2],
    ]);
  });

  it('has the terms of each offer of other tickets in clear', () => {
    const offer = (day: number, bound = day) => {
      const expires_at = `2026-01-0${day}T00:00:00.000Z`;
      const id = termsIdOf({ expires_at: `2026-01-0${bound}T00:00:00.000Z` });
      const sealed_terms = sealer.sealNote(ID, id, key, `Until ${day}.`).toString('base64');
      return { type: 'ReplacementProposed', data: { expires_at, terms: null, sealed_terms } };
    };
    const events = [offer(1), { type: 'ReplacementLapsed', data: {} }, offer(2), offer(3, 1)];
    const clear = ({ type, data }: ReturnType<typeof offer>, text: string) => {
      return { type, data: { ...data, sealed_terms: { text } } };
    };
    expect(lineOf({ purchase: { id: ID }, events })['events']).toEqual([
      clear(offer(1), 'Until 1.'),
      events[1],
      clear(offer(2), 'Until 2.'),
      // Sealed for another offer, so it does not open.
      events[3],
    ]);
  });

  it('shows only the beginning of texts if it is masked', () => {
    const personal = { user: { email: 'ada@example.com' }, delivery: { city: 'Paris' }, billing: null };
    const purchase = { delivery_method: { type: 'ship', data: {} } };
    const events = [{ data: { personal: sealer.sealPersonal(ID, key, personal).toString('base64') } }];
    expect(lineOf({ purchase, events, personal, isMasked: true })).toMatchObject({
      delivery_method: { type: 'ship', data: { city: 'P••' } },
      buyer: { email: 'a••@example.com' },
      personal_data_masked: true,
      events: [{ data: { personal: { user: { email: 'a••@example.com' } } } }],
    });
  });
});
