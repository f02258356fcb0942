import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type KnownOrder, orderFold } from '#domain/order-state';
import { fold } from '#event-store/stream-definition';
import { moneyLife } from '../../../test/support/orders/money-lives.js';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { ledgerEntriesProjection, type LedgerRow, ledgerRows } from './ledger-entries.projection.js';

const values = (text: string) => text.slice(1, -1).split(',');
const sumOf = ({ amounts }: LedgerRow) => values(amounts).reduce((sum, cents) => sum + Number(cents), 0);

it('the entries of each event add up to 0, and so do all balances at every instant', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const events = recorded(...moneyLife(seed));
      const balances = new Map<string, number>();
      if (events.length === 0) return;
      for (const row of ledgerRows(events as [(typeof events)[number], ...typeof events])) {
        expect(sumOf(row)).toBe(0);
        const cents = values(row.amounts).map(Number);
        values(row.accounts).forEach((account, index) => {
          seen.add(account);
          balances.set(account, (balances.get(account) ?? 0) + (cents[index] ?? Number.NaN));
        });
        expect([...balances.values()].reduce((sum, balance) => sum + balance, 0)).toBe(0);
      }
      const order = fold(orderFold, events) as KnownOrder;
      expect(Object.fromEntries(balances)).toEqual(order.books.balances);
    }),
    { numRuns: 200 },
  );
  // Otherwise the lives would be too dull to prove anything.
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'buyer',
      'disputes',
      'fees',
      'losses',
      'provider:sandbox',
      'provider_fees',
      'seller:a',
      'seller:b',
    ]),
  );
});

it('the rows are the same, however the events were appended', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(30), { maxLength: 5 }), (seed, cuts) => {
      const events = recorded(...moneyLife(seed));
      const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < events.length), events.length])].sort(
        (a, b) => a - b,
      );
      const rows = ends.flatMap((end, index) => {
        return ledgerEntriesProjection.rows(orderAppend(events.slice(0, end), ends[index - 1] ?? 0));
      });
      expect(rows).toEqual(ledgerEntriesProjection.rows(orderAppend(events)));
    }),
    { numRuns: 100 },
  );
});

it('the buyer of a rejected order is owed nothing once all of the money went back', () => {
  let settled = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const order = fold(orderFold, recorded(...moneyLife(seed)));
      if (!order.known || order.status?.status !== 'rejected' || order.purchase.payment === null) return;
      const { payment, refunds, disputes, books } = order;
      const given = refunds
        .filter(({ state }) => state === 'succeeded')
        .reduce((sum, one) => sum + one.amount_cents, 0);
      const lost = disputes.filter(({ state, inquiry }) => state === 'lost' && !inquiry);
      const lostCents = lost.reduce((sum, one) => sum + one.amount_cents, 0);
      const taken = 'captured_cents' in payment ? payment.captured_cents : 0;
      if (payment.is !== 'captured' || given + lostCents !== taken) return;
      settled += 1;
      expect(books.balances['buyer'] ?? 0).toBe(0);
    }),
    { numRuns: 300 },
  );
  expect(settled).toBeGreaterThan(3);
});
