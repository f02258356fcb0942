import { describe, expect, it } from 'vitest';
import { ORDER_EVENT_TYPES } from '#domain/order-events';
import { eventFixtures } from '#orders/event-fixtures';
import { attemptTitle } from './delivery-entries.js';
import { eventEntry } from './event-entries.js';

const entryOf = (type: (typeof ORDER_EVENT_TYPES)[number]) => {
  const event = eventFixtures().get(type);
  if (!event) throw new Error(`there is no example of ${type}`);
  return eventEntry(event, undefined);
};

describe('the titles of a timeline', () => {
  it('say in words what each event means', () => {
    const titles = ORDER_EVENT_TYPES.map((type) => [type, entryOf(type).title]);
    expect(Object.fromEntries(titles)).toMatchObject({
      PurchaseReceived: 'Purchase received',
      OrderPending: 'Waits for the broker',
      OrderHeldForReview: 'Waits for a manual review',
      ReplacementOffered: 'Other tickets offered',
      PersonalDataErased: 'Personal data erased',
      SampleRemoved: 'Removed with the sample data',
    });
    for (const [type, title] of titles) expect(title, type).toMatch(/^[A-Z][a-z]+ ?.*[^.]$/);
  });

  it('and details hide what is sealed', () => {
    expect(entryOf('PurchaseReceived').detail).toMatchObject({ type: 'PurchaseReceived', product: {} });
    expect(JSON.stringify(entryOf('PurchaseReceived').detail)).not.toMatch(/"(personal|duplicate_key)"/);
  });

  it.each([
    [{ http_status: 200, duration_ms: 41, error: null }, 'Ping delivered, 200 in 41 ms'],
    [{ http_status: 503, duration_ms: 7, error: null }, 'Ping failed, 503 in 7 ms'],
    [{ http_status: 200, duration_ms: 7, error: 'no order_id' }, 'Ping failed, 200 in 7 ms: no order_id'],
    [{ http_status: null, duration_ms: 10_000, error: 'timeout' }, 'Ping failed, no answer after 10000 ms: timeout'],
  ])('tell of an attempt %j: %s', (attempt, title) => {
    expect(attemptTitle('Ping', attempt)).toBe(title);
  });
});
