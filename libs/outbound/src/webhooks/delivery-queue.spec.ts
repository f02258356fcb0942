import { describe, expect, it } from 'vitest';
import { DeliveryQueue } from './delivery-queue.js';
import type { DueDelivery } from './webhook-ledger.js';

const due = (orderId: string, position: number): DueDelivery => ({
  position,
  orderId,
  tries: 0,
  dueSince: null,
  type: 'order.status',
  id: `png_${position}`,
  occurred_at: '',
  json: '{}',
  traceparent: null,
});

function filled(...deliveries: DueDelivery[]): DeliveryQueue {
  const queue = new DeliveryQueue();
  queue.beginRead();
  expect(queue.add(deliveries)).toBe(true);
  return queue;
}

describe('the queue of an endpoint', () => {
  it('returns the deliveries in the order of their reading', () => {
    const queue = filled(due('a', 1), due('b', 2));
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([1, 2, undefined]);
  });

  it('skips an order that is waiting or in flight', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.beginRead();
    expect(queue.add([due('a', 1), due('b', 2), due('c', 3)])).toBe(true);
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([2, 3, undefined]);
  });

  it('continues with the next delivery of an order first, and keeps the order busy', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.done('a', due('a', 5));
    queue.beginRead();
    queue.add([due('a', 5)]);
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([5, 2, undefined]);
  });

  it('skips deliveries of an order that finished during the read, and reports that', () => {
    const queue = filled(due('a', 1));
    queue.shift();
    queue.beginRead();
    queue.done('a', undefined);
    expect(queue.add([due('a', 1), due('b', 2)])).toBe(false);
    expect([queue.shift()?.position, queue.shift()]).toEqual([2, undefined]);
    queue.beginRead();
    expect(queue.add([due('a', 3)])).toBe(true);
    expect(queue.shift()?.position).toBe(3);
  });

  it('drops its deliveries, but not those in flight', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.clear();
    expect(queue.length).toBe(0);
    queue.beginRead();
    queue.add([due('a', 1), due('b', 2)]);
    expect([queue.shift()?.position, queue.shift()]).toEqual([2, undefined]);
  });
});
