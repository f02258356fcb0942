import type { Pool } from 'pg';
import type { BalanceLine } from '#payments/provider-lists';

const BEGIN_MS = Date.parse('2026-10-01T00:00:00.000Z');
const DAYS = 30;
const DAY_MS = 86_400_000;
const CENTS = 12_345;
const AT_ONCE = 50_000;

/** The period in which all of them were captured. */
export const CAPTURED = {
  from: new Date(BEGIN_MS).toISOString(),
  to: new Date(BEGIN_MS + DAYS * DAY_MS).toISOString(),
};

/** So many orders whose payments were captured within a month, evenly, as far as a reconciliation reads them. Needs the owner's pool. */
export async function fillCaptures(pool: Pool, count: number): Promise<void> {
  const everyMs = (DAYS * DAY_MS) / count;
  for (let first = 0; first < count; first += AT_ONCE) {
    await pool.query(FILL, [first, Math.min(first + AT_ONCE, count) - 1, CAPTURED.from, everyMs, CENTS]);
  }
  await pool.query('analyze');
}

/** The provider's list of them. Each `wrongEvery`th line has another amount. */
export function captureLines(count: number, wrongEvery: number) {
  const everyMs = (DAYS * DAY_MS) / count;
  return async function* (from: string, to: string): AsyncGenerator<BalanceLine> {
    const first = Math.max(0, Math.ceil((Date.parse(from) - BEGIN_MS) / everyMs));
    for (let n = first; n < count; n += 1) {
      const createdAt = new Date(BEGIN_MS + Math.floor(n * everyMs)).toISOString();
      if (createdAt >= to) return;
      if (createdAt < from) continue;
      const amountCents = n % wrongEvery === 0 ? CENTS + 1 : CENTS;
      const own = { id: `line_${n}`, reference: referenceOf(n), payment: referenceOf(n), orderId: `ord_${n}` };
      yield { ...own, kind: 'charge', refundId: null, amountCents, feeCents: 0, currency: 'USD', createdAt };
    }
  };
}

const referenceOf = (n: number) => `sandbox_ord_${n}`;

const FILL = `
  with captured as (
    select n, 'ord_' || n as id, $3::timestamptz + n * $4::float8 * interval '1 ms' as at from generate_series($1::int, $2::int) n
  ), orders_made as (
    insert into orders (id, version, client_id, variant, stage, status, status_code, event_id, listing_id, quantity, stock_held,
      total_cents, transaction_id, placed_at, updated_at, purchase, summary)
    select id, 1, 'client', 'payment', 'placed', 'confirmed', 2000, '1', 'L1', 2, 0, $5::int, 'req_' || n, at, at, '{}',
      json_build_object('payment', json_build_object('state', 'captured', 'provider', 'sandbox', 'reference', 'sandbox_' || id))
    from captured
  ), logged as (
    insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
    select 'order-' || id, 1, 'evt_' || n, 'PaymentCaptured', json_build_object('provider', 'sandbox', 'reference', 'sandbox_' || id,
      'amount_cents', $5::int, 'currency', 'USD'), '{}', at, '\\x00'
    from captured)
  insert into ledger_entries (stream, position, currency, accounts, amounts, recorded_at)
  select 'order-' || id, 1, 'USD', array['provider:sandbox', 'buyer'], array[$5::bigint, -$5::bigint], at from captured`;
