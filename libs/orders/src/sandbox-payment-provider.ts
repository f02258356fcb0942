import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { BatchedLookup } from '#database/batched-lookup';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { Clock } from '#base/clock';
import {
  type Authorised,
  type Charge,
  type Declined,
  PaymentNotTaken,
  type PaymentPart,
  PaymentProvider,
  type PaymentRequest,
  type ReleasedPart,
} from './payments/payment-provider.js';

/** One card for each outcome (README, "Play the platform"). */
const DECLINED_CARD = '4000000000000002';
const LATE_CARD = '4000000000000341';
const FAILING_CARD = '4000000000000119';
const DECLINED_TOKEN = 'tok_declined';

const LATE_ANSWER_MS = 30_000;
const BATCH_SIZE = 1_000;

const CHARGES = `
  select order_id as "orderId", reference from sandbox_payments
  where state = 'authorised' and order_id > $1 order by order_id limit $2`;

// The lock keeps a release from coming between.
const RELEASE_PART = `
  insert into sandbox_releases (id, order_id, amount_cents, created_at)
  select $1, order_id, $3, $4 from sandbox_payments where order_id = $2 and state = 'authorised' for update
  on conflict (id) do nothing`;

type SandboxPayment = Readonly<{
  order_id: string;
  reference: string;
  amount_cents: number;
  state: 'authorised' | 'declined';
}>;

/** Takes no money. Stores in PostgreSQL what a real provider would store. */
@Injectable()
export class SandboxPaymentProvider extends PaymentProvider {
  readonly name = 'sandbox';
  private readonly payments = new BatchedLookup((payments: readonly SandboxPayment[]) => this.record(payments));

  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super();
  }

  async authorise(
    { orderId, amountCents, method }: PaymentRequest,
    signal: AbortSignal,
  ): Promise<Authorised | Declined> {
    const card = method.type === 'creditcard' ? method.card.number : undefined;
    if (card === FAILING_CARD) throw new PaymentNotTaken('The payment provider failed.');
    const declined = card === DECLINED_CARD || (method.type !== 'creditcard' && method.token === DECLINED_TOKEN);
    const reference = `sandbox_${orderId}`;
    await this.payments.find({
      order_id: orderId,
      reference,
      amount_cents: amountCents,
      state: declined ? 'declined' : 'authorised',
    });
    // The payment is taken at once but the answer is late, so the completer has to find it.
    if (card === LATE_CARD) await wait(LATE_ANSWER_MS, undefined, { signal });
    return declined
      ? { is: 'declined', reason: 'declined by the sandbox' }
      : { is: 'authorised', reference, amountCents };
  }

  private async record(payments: readonly SandboxPayment[]): Promise<readonly undefined[]> {
    await this.pool.query({
      name: 'sandbox-authorise',
      text: `insert into sandbox_payments (order_id, reference, amount_cents, state, created_at)
        select order_id, reference, amount_cents, state, $2
        from json_to_recordset($1) as given (order_id text, reference text, amount_cents bigint, state text)
        on conflict (order_id) do nothing`,
      values: [JSON.stringify(payments), this.clock.iso()],
    });
    return payments.map(() => undefined);
  }

  async find(orderId: string): Promise<Authorised | Declined | { is: 'absent' }> {
    const { rows } = await this.pool.query<{ reference: string; amount_cents: number; state: string }>(
      'select reference, amount_cents, state from sandbox_payments where order_id = $1',
      [orderId],
    );
    const [payment] = rows;
    if (!payment) return { is: 'absent' };
    if (payment.state === 'declined') return { is: 'declined', reason: 'declined by the sandbox' };
    return { is: 'authorised', reference: payment.reference, amountCents: Number(payment.amount_cents) };
  }

  override async *charges(): AsyncGenerator<Charge, void, undefined> {
    let after = '';
    for (;;) {
      const { rows } = await this.pool.query<Charge>(CHARGES, [after, BATCH_SIZE]);
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last.orderId;
    }
  }

  async releaseMethod(): Promise<'void' | 'refund'> {
    return 'void';
  }

  async release(orderId: string): Promise<'voided' | 'refunded'> {
    await this.pool.query(`update sandbox_payments set state = 'voided' where order_id = $1`, [orderId]);
    return 'voided';
  }

  async releasePart({ orderId, key, amountCents }: PaymentPart): Promise<ReleasedPart> {
    const id = `sandbox_${key}`;
    await this.pool.query(RELEASE_PART, [id, orderId, amountCents, this.clock.iso()]);
    const { rowCount } = await this.pool.query('select from sandbox_releases where id = $1', [id]);
    if (rowCount === 0) throw new Error('The sandbox has no payment to give a part of back.');
    return { how: 'voided', reference: id };
  }
}
