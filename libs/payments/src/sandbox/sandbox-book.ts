import type { Pool } from 'pg';
import type { Clock } from '#base/clock';
import type { CaptureRequest, HeldPayment, RefundRequest } from '../payment-provider.js';
import type { SandboxPlay } from './sandbox-cards.js';

/** `created_at` is ISO 8601. */
export type SandboxPayment = Readonly<{
  order_id: string;
  reference: string;
  amount_cents: number;
  currency: string;
  state: 'authorised' | 'declined' | 'voided';
  plays: SandboxPlay | null;
  created_at: string;
}> &
  Readonly<{ captured_cents?: number | null }>;

type KnownPayment = SandboxPayment & Readonly<{ captured_cents: number | null }>;

type PaymentRow = Omit<KnownPayment, 'amount_cents' | 'captured_cents' | 'created_at'> &
  Readonly<{ amount_cents: string; captured_cents: string | null; created_at: Date }>;

const COLUMNS = 'order_id, reference, amount_cents, currency, state, plays, created_at';
const BATCH_SIZE = 1_000;

const ADD = `
  insert into sandbox_payments (${COLUMNS})
  select ${COLUMNS} from json_to_recordset($1) as given (order_id text, reference text, amount_cents bigint, currency text, state text,
    plays text, created_at timestamptz)
  on conflict (order_id) do nothing returning order_id`;

// A payment is taken once, and only while it is held.
const CAPTURE = `
  with asked as (select * from json_to_recordset($1) as given ("orderId" text, "amountCents" bigint)), taken as (
    update sandbox_payments p set captured_cents = least(a."amountCents", p.amount_cents), captured_at = $2
    from asked a where p.order_id = a."orderId" and p.state = 'authorised' and p.captured_cents is null
      and p.plays is distinct from 'capture_fails'
      and (p.plays is distinct from 'hold_expires' or p.created_at + interval '1 minute' > $2::timestamptz)
    returning p.order_id, p.captured_cents)
  select p.order_id, p.reference, p.amount_cents, p.currency, p.state, p.plays, p.created_at,
    coalesce(t.captured_cents, p.captured_cents) as captured_cents
  from sandbox_payments p join asked a on p.order_id = a."orderId" left join taken t using (order_id)`;

// The lock keeps two refunds from giving back the same money. Of a payment of earlier versions nothing was recorded as taken.
const REFUND = `
  with payment as (
    select * from sandbox_payments where order_id = $2 and state = 'authorised' for update), given as (
    select coalesce(sum(amount_cents), 0) as cents from sandbox_refunds
    where order_id = $2 and not (created_at <= $5::timestamptz and exists (select from payment where plays = 'refund_fails')))
  insert into sandbox_refunds (id, order_id, refund_id, amount_cents, created_at)
  select $1, $2, $1, $3::bigint, $4 from payment, given
  where coalesce(captured_cents, payment.amount_cents) - given.cents >= $3::bigint
  on conflict (id) do nothing`;

/** The sandbox's own book, in PostgreSQL. */
export class SandboxBook {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** The state of each payment after it, in their order. Of one that is there already, the first state counts: it may have been given up. */
  async add(payments: readonly SandboxPayment[]): Promise<SandboxPayment['state'][]> {
    const { rows } = await this.pool.query<{ order_id: string }>({
      name: 'sandbox-authorise',
      text: ADD,
      values: [JSON.stringify(payments)],
    });
    const added = new Set(rows.map(({ order_id }) => order_id));
    // Almost always none. A join in the statement above would read the whole table while its statistics are old.
    const others = payments.map(({ order_id }) => order_id).filter((id) => !added.has(id));
    const known = others.length > 0 ? await this.states(others) : undefined;
    return payments.map(({ order_id: id, state }) => (added.has(id) ? state : (known?.get(id) ?? 'voided')));
  }

  private async states(orderIds: readonly string[]): Promise<ReadonlyMap<string, SandboxPayment['state']>> {
    const { rows } = await this.pool.query<Pick<SandboxPayment, 'order_id' | 'state'>>(
      'select order_id, state from sandbox_payments where order_id = any($1)',
      [orderIds],
    );
    return new Map(rows.map(({ order_id, state }) => [order_id, state]));
  }

  /** The payments after it, in the order of the requests. */
  async capture(requests: readonly CaptureRequest[]): Promise<(KnownPayment | undefined)[]> {
    const asked = requests.map(({ orderId, amountCents }) => ({ orderId, amountCents }));
    // Without a name it is planned each time. A plan that was kept from when the table was small would read all of it.
    const { rows } = await this.pool.query<PaymentRow>(CAPTURE, [JSON.stringify(asked), this.clock.iso()]);
    const byOrder = new Map(rows.map((row) => [row.order_id, known(row)]));
    return requests.map(({ orderId }) => byOrder.get(orderId));
  }

  async find(orderId: string): Promise<KnownPayment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>(
      `select ${COLUMNS}, captured_cents from sandbox_payments where order_id = $1`,
      [orderId],
    );
    return rows[0] && known(rows[0]);
  }

  /** A payment that has not come yet never will. */
  async close(orderId: string, reference: string): Promise<void> {
    await this.pool.query(
      `insert into sandbox_payments (order_id, reference, amount_cents, state, created_at)
      values ($1, $2, 0, 'voided', $3) on conflict (order_id) do nothing`,
      [orderId, reference, this.clock.iso()],
    );
  }

  /** False if it was taken before. */
  async void(orderId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update sandbox_payments set state = 'voided' where order_id = $1 and captured_cents is null`,
      [orderId],
    );
    return rowCount !== 0;
  }

  /** False if there is not so much to give back. @param failedBefore ISO 8601: of a card that plays it, refunds until then have failed */
  async refund({ orderId, refundId, amountCents }: RefundRequest, failedBefore: string): Promise<boolean> {
    await this.pool.query(REFUND, [refundId, orderId, amountCents, this.clock.iso(), failedBefore]);
    return (await this.findRefund(refundId)) !== undefined;
  }

  async findRefund(refundId: string): Promise<Readonly<{ created_at: Date; plays: SandboxPlay | null }> | undefined> {
    const { rows } = await this.pool.query<{ created_at: Date; plays: SandboxPlay | null }>(
      `select r.created_at, p.plays from sandbox_refunds r join sandbox_payments p using (order_id) where r.id = $1`,
      [refundId],
    );
    return rows[0];
  }

  /** The first end counts. */
  async endDispute(reference: string, state: 'won' | 'lost'): Promise<void> {
    await this.pool.query(
      `insert into sandbox_disputes (id, order_id, state, changed_at)
      select $1, order_id, $2, $3 from sandbox_payments where 'sandbox_dp_' || order_id = $1
      on conflict (id) do nothing`,
      [reference, state, this.clock.iso()],
    );
  }

  async *charges(): AsyncGenerator<HeldPayment, void, undefined> {
    let after = '';
    for (;;) {
      const { rows } = await this.pool.query<HeldPayment>(
        `select order_id as "orderId", reference from sandbox_payments
        where state = 'authorised' and order_id > $1 order by order_id limit $2`,
        [after, BATCH_SIZE],
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last.orderId;
    }
  }
}

function known({ amount_cents, captured_cents, created_at, ...row }: PaymentRow): KnownPayment {
  return {
    ...row,
    amount_cents: Number(amount_cents),
    captured_cents: captured_cents === null ? null : Number(captured_cents),
    created_at: new Date(created_at).toISOString(),
  };
}
