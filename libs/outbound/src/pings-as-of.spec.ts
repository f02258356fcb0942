import { describe, expect, it } from 'vitest';
import type { Ping } from './ping.contract.js';
import { pingsAsOf } from './pings-as-of.js';

const attempt = (number: number, minute: number, http_status: number) => ({
  attempt: number,
  started_at: `2026-11-22T12:0${minute}:00.000Z`,
  duration_ms: 40,
  http_status,
  error: null,
});
const ping = (sequence: number): Ping => ({
  id: `ord_1.${sequence}`,
  order_id: 'ord_1',
  ref_id: null,
  sequence,
  status: 'confirmed',
  status_message: 'Confirmed',
  status_code: 2000,
  occurred_at: '2026-11-22T12:00:00.000Z',
  transaction_id: 'tx',
  state: 'delivered',
  tries: 2,
  next_try_at: null,
  delivered_at: '2026-11-22T12:03:00.040Z',
  attempts: [attempt(1, 1, 500), attempt(2, 3, 200)],
});
const until = (time: string) => (instant: string) => instant <= `2026-11-22T${time}Z`;

describe('the pings of an order as of an instant', () => {
  it('leave out later attempts and their outcome', () => {
    expect(pingsAsOf([ping(1), ping(2)], 1, until('12:02:00.000'))).toEqual([
      { ...ping(1), state: 'pending', tries: 1, delivered_at: null, attempts: [attempt(1, 1, 500)] },
    ]);
  });

  it('are those of today when nothing happened since', () => {
    expect(pingsAsOf([ping(1), ping(2)], 2, until('12:04:00.000'))).toEqual([ping(1), ping(2)]);
  });
});
