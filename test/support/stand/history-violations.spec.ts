import { describe, expect, it } from 'vitest';
import { historyViolations } from './history-violations.js';
import type { ChangeAttempt, History, LoggedOrder, PurchaseAttempt } from './history.js';

const CONFIRMED = { status: 'confirmed', code: 2000, transactionId: 'bought', byStaff: false };
const MAILED = { status: 'confirmed', code: 2001, transactionId: 'mailed', byStaff: true };
const REJECTED = { status: 'rejected', code: 3002, transactionId: 'rejected', byStaff: true };

const bought: PurchaseAttempt = {
  refId: 'r1',
  variant: 'wholesale',
  listingId: 'l1',
  quantity: 2,
  expectedTo: 'succeed',
  outcome: { is: 'acknowledged', orderId: 'ord_1', codes: [2000] },
};
const order: LoggedOrder = {
  id: 'ord_1',
  refId: 'r1',
  variant: 'wholesale',
  listingId: 'l1',
  quantity: 2,
  statuses: [CONFIRMED, MAILED],
  notTaken: false,
  shown: [2000, 2001],
};
const mailed: ChangeAttempt = { orderId: 'ord_1', statusCode: 2001, outcome: 'acknowledged' };
const ping = { orderId: 'ord_1', refId: 'r1', transactionId: 'bought', signed: true, number: 1, delivered: 2 };
const { delivered: _, ...failed } = ping;
const second = { ...ping, transactionId: 'mailed', number: 3, delivered: 4 };

/** The history of a purchase that was confirmed and mailed, without violations. `change` replaces parts. */
function history(change: Partial<History> = {}): History {
  return {
    purchases: [bought],
    changes: [mailed],
    orders: [order],
    listings: [{ id: 'l1', offered: 10, available: 8 }],
    arrivals: [ping, second],
    shownAt: new Map([
      [1, [2000]],
      [3, [2000, 2001]],
    ]),
    ...change,
  };
}

const refused = { is: 'refused', status: 400, codes: [40014] } as const;
const cut = { is: 'cut', status: null } as const;
const nothing = { orders: [], arrivals: [], changes: [], listings: [{ id: 'l1', offered: 10, available: 10 }] };
const only = (statuses: LoggedOrder['statuses']) => ({ ...order, statuses, shown: statuses.map(({ code }) => code) });

describe('the history checker', () => {
  it.each<[string, Partial<History>]>([
    ['nothing is wrong', {}],
    [
      'a ping came twice',
      {
        arrivals: [ping, { ...ping, number: 2 }, second],
        shownAt: new Map([
          [1, [2000]],
          [2, [2000]],
          [3, [2000, 2001]],
        ]),
      },
    ],
    [
      'a ping failed before it was delivered',
      {
        arrivals: [{ ...failed, number: 0 }, ping, second],
        shownAt: new Map([
          [0, [2000]],
          [1, [2000]],
          [3, [2000, 2001]],
        ]),
      },
    ],
    ['a cut purchase exists', { purchases: [{ ...bought, outcome: cut }] }],
    ['a cut purchase does not exist', { ...nothing, purchases: [{ ...bought, outcome: cut }] }],
    ['a refused purchase does not exist', { ...nothing, purchases: [{ ...bought, outcome: refused }] }],
    ['a cut change was made', { changes: [{ ...mailed, outcome: 'cut' }] }],
    ['a cut change was not made', { changes: [mailed, { ...mailed, statusCode: 2002, outcome: 'cut' }] }],
  ])('finds no violation if %s', (_, change) => {
    expect(historyViolations(history(change))).toEqual([]);
  });

  it.each<[string, Partial<History>]>([
    ['r1 was acknowledged, and does not exist', nothing],
    ['r1 exists 2 times', { orders: [order, { ...order, id: 'ord_2' }] }],
    [
      'r1 was acknowledged as ord_0 and is ord_1',
      { purchases: [{ ...bought, outcome: { is: 'acknowledged', orderId: 'ord_0', codes: [2000] } }] },
    ],
    [
      'r1 was answered with 1001 and began with 2000',
      { purchases: [{ ...bought, outcome: { is: 'acknowledged', orderId: 'ord_1', codes: [1001] } }] },
    ],
    ['r1 was refused with 400 40014, and exists', { purchases: [{ ...bought, outcome: refused }] }],
    [
      'r1 was refused with 401 40100',
      { ...nothing, purchases: [{ ...bought, outcome: { is: 'refused', status: 401, codes: [40100] } }] },
    ],
    ['r1 was expected to be refused, and was acknowledged', { purchases: [{ ...bought, expectedTo: 'be refused' }] }],
    ['r1 was expected to fail and is confirmed', { purchases: [{ ...bought, expectedTo: 'fail', outcome: cut }] }],
    ['r1 was never submitted', { purchases: [] }],
    ['r1 is for 2 of l1', { purchases: [{ ...bought, quantity: 3 }] }],
    ['r1 has no outcome', { orders: [only([])], changes: [], arrivals: [] }],
    ['r1 went through 2000, 2001 and GET shows 2000', { orders: [{ ...order, shown: [2000] }] }],
    ['ord_1 was refused status 2001', { changes: [{ ...mailed, outcome: 'refused' }] }],
    ['ord_1 lacks its status 2001', { orders: [only([CONFIRMED])], arrivals: [ping] }],
    ['ord_1 has 2001, which nobody set', { changes: [] }],
    ['the ping of 2001 for r1 was never delivered', { arrivals: [ping] }],
    ['the ping of 2000 for r1 was never delivered', { arrivals: [failed, second] }],
    [
      'r1 was pinged of 2001 before the previous status was delivered',
      {
        arrivals: [
          { ...second, number: 1, delivered: 2 },
          { ...ping, number: 3, delivered: 4 },
        ],
      },
    ],
    [
      'r1 was pinged of 2001 before the previous status was delivered',
      {
        arrivals: [
          { ...ping, delivered: 4 },
          { ...second, number: 3 },
        ],
      },
    ],
    [
      'r1 was pinged of 2001 before GET showed it',
      {
        shownAt: new Map([
          [1, [2000]],
          [3, [2000]],
        ]),
      },
    ],
    [
      'r1 was pinged of 2000 before GET showed it',
      {
        shownAt: new Map([
          [1, null],
          [3, [2000, 2001]],
        ]),
      },
    ],
    [
      'r1 was pinged without a status, 1 times',
      { arrivals: [ping, second, { ...ping, number: 5, transactionId: 'other' }] },
    ],
    ['r1 was pinged with a wrong ref_id or signature, 1 times', { arrivals: [ping, { ...second, signed: false }] }],
    ['r1 was pinged with a wrong ref_id or signature, 1 times', { arrivals: [ping, { ...second, refId: 'r2' }] }],
    ['ord_9 was pinged but is not an order', { arrivals: [ping, second, { ...ping, orderId: 'ord_9' }] }],
    ['l1 has 6 of 10 left; orders hold 2', { listings: [{ id: 'l1', offered: 10, available: 6 }] }],
    [
      'l1 has 8 of 10 left; orders hold 0',
      { orders: [only([CONFIRMED, REJECTED])], changes: [{ ...mailed, statusCode: 3002 }] },
    ],
  ])('finds that %s', (violation, change) => {
    expect(historyViolations(history(change))).toContain(violation);
  });
});
