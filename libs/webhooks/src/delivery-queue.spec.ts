import { describe, expect, it } from 'vitest';
import { DeliveryQueue } from './delivery-queue.js';
import type { DueDelivery } from './webhook-ledger.js';

const due = (orderId: string, position: number): DueDelivery => ({
  position,
  orderId,
  tries: 0,
  dueSince: null,
  id: `png_${position}`,
  occurred_at: '',
  json: '{}',
});

function filled(...deliveries: DueDelivery[]): DeliveryQueue {
  const queue = new DeliveryQueue();
  queue.beginRead();
  expect(queue.add(deliveries)).toBe(true);
  return queue;
}

describe('the queue of an endpoint', () => {
  it('gives them in the order in which they were read', () => {
    const queue = filled(due('a', 1), due('b', 2));
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([1, 2, undefined]);
  });

  it('takes none of an order that waits or is under way', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.beginRead();
    expect(queue.add([due('a', 1), due('b', 2), due('c', 3)])).toBe(true);
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([2, 3, undefined]);
  });

  it('goes on with the next of an order before all others, and nobody else may take that order meanwhile', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.done('a', due('a', 5));
    queue.beginRead();
    queue.add([due('a', 5)]);
    expect([queue.shift()?.position, queue.shift()?.position, queue.shift()]).toEqual([5, 2, undefined]);
  });

  it('doubts what was read of an order that was done with meanwhile, and says so', () => {
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

  it('forgets what it was told to, but not what is under way', () => {
    const queue = filled(due('a', 1), due('b', 2));
    queue.shift();
    queue.clear();
    expect(queue.length).toBe(0);
    queue.beginRead();
    queue.add([due('a', 1), due('b', 2)]);
    expect([queue.shift()?.position, queue.shift()]).toEqual([2, undefined]);
  });
});
