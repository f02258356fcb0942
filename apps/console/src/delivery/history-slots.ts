import type { DeliveryHistoryReport } from '#outbound/delivery.contract';
import type { Slot } from '../charts/chart.js';

export type DeliveryPoint = DeliveryHistoryReport['endpoints'][number]['points'][number];

type Steps = Readonly<{ stepMs: number; from: number; to: number; nameOf: (at: Date) => string }>;

/** Every step of the period, even without data. */
export function historySlots(points: readonly DeliveryPoint[], { stepMs, from, to, nameOf }: Steps): Slot[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const last = Math.max(Math.floor((to - 1) / stepMs) * stepMs, ...known.keys());
  const count = Math.max(1, Math.floor((to - from) / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * stepMs;
    const point = known.get(at);
    return { id: String(at), name: nameOf(new Date(at)), values: valuesOf(point) };
  });
}

function valuesOf(point: DeliveryPoint | undefined): Slot['values'] {
  const { attempts = 0, delivered = 0, p50_ms, p99_ms, pending, parked, oldest_s } = point ?? {};
  return {
    delivered,
    failed: attempts - delivered,
    success: attempts === 0 ? null : delivered / attempts,
    p50: p50_ms ?? null,
    p99: p99_ms ?? null,
    pending: pending ?? null,
    parked: parked ?? null,
    oldest: oldest_s ?? null,
  };
}

/** The sums of the counts, and the newest value of the other measurements. */
export function historyTotals(points: readonly DeliveryPoint[]): Slot['values'] {
  const sum = (of: (point: DeliveryPoint) => number) => points.reduce((all, point) => all + of(point), 0);
  const attempts = sum((point) => point.attempts);
  const delivered = sum((point) => point.delivered);
  const answered = points.findLast(({ p50_ms: p50 }) => p50 !== null);
  const looked = points.findLast(({ pending }) => pending !== null);
  return {
    delivered,
    failed: attempts - delivered,
    success: attempts === 0 ? null : delivered / attempts,
    p50: answered?.p50_ms ?? null,
    p99: answered?.p99_ms ?? null,
    pending: looked?.pending ?? null,
    parked: looked?.parked ?? null,
    oldest: looked?.oldest_s ?? null,
  };
}
