import { describe, expect, it } from 'vitest';
import { AuditQuery } from '#accounts/audit.contract';
import { DeliveryHistoryQuery } from '#outbound/delivery.contract';
import { OrderCountQuery, OrderListQuery } from '#orders/order.contract';
import { ReportQuery } from '#desk/report.contract';
import { PolicyDryRunBody } from '#orders/screening.contract';

const policy = { id: 'p', action: 'accept', where: { field: 'quantity', op: '=', value: 1 }, enabled: true };
const PERIODS: readonly (readonly [string, (to: string) => string | undefined])[] = [
  ['the list of orders', (to) => OrderListQuery.parse({ placed_to: to }).placed_to],
  ['the count of orders', (to) => OrderCountQuery.parse({ placed_to: to }).placed_to],
  ['a report', (to) => ReportQuery.parse({ to }).to],
  ['the audit log', (to) => AuditQuery.parse({ to }).to],
  ['the history of delivery', (to) => DeliveryHistoryQuery.parse({ to }).to],
  ['a dry run', (to) => PolicyDryRunBody.parse({ policy, to }).to],
];

describe.each(PERIODS)('the period of %s', (_name, endOf) => {
  it('includes its last day if that is given without a time', () => {
    expect(endOf('2026-11-22')).toBe('2026-11-23T00:00:00.000Z');
  });

  it('ends at the instant that is given', () => {
    expect(endOf('2026-11-22T10:00:00+01:00')).toBe('2026-11-22T09:00:00.000Z');
  });

  it('refuses what is no day', () => {
    expect(() => endOf('2026-02-30')).toThrow(/ISO 8601/);
  });
});
