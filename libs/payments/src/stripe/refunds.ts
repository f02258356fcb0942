import type Stripe from 'stripe';
import type { Clock } from '#base/clock';
import type { RefundRequest } from '../payment-provider.js';
import type { RefundOutcome } from '../provider-answers.js';
import { underKey } from './keyed.js';
import { ask, StripeFault, word } from './stripe-fault.js';

const NO_BALANCE = ['balance_insufficient', 'insufficient_funds'];
const PAGE = 100;

/** Gives back. Our id is kept with each refund, so that none is made twice, whatever key it has. */
export class Refunds {
  constructor(
    private readonly stripe: Stripe,
    private readonly clock: Clock,
  ) {}

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    // A key of yesterday protects from nothing any more.
    const known = await this.look(request);
    if (known) return known;
    try {
      return await underKey<RefundOutcome>(this.clock, {
        key: request.key,
        act: async (idempotencyKey) => refundOutcome(await this.create(request, idempotencyKey)),
        look: () => this.look(request),
        isPassing: hasNoBalance,
      });
    } catch (error) {
      if (!(error instanceof StripeFault) || !error.isRefusal) throw error;
      if (hasNoBalance(error)) return { is: 'waiting', reason: 'insufficient_funds' };
      // 403 and 404 are of our keys: another one may do it.
      if (error.clues.status === 403 || error.clues.status === 404) throw error;
      return { is: 'failed', reference: null, reason: error.clues.code ?? 'refused' };
    }
  }

  async findRefund(
    request: RefundRequest,
    reference: string | null,
  ): Promise<RefundOutcome | Readonly<{ is: 'absent' }>> {
    if (reference === null) return (await this.look(request)) ?? { is: 'absent' };
    return refundOutcome(await ask('asking for a refund', () => this.stripe.refunds.retrieve(reference)));
  }

  private create(request: RefundRequest, idempotencyKey: string): Promise<Stripe.Refund> {
    const { reference, amountCents, orderId, refundId } = request;
    const params = {
      payment_intent: reference,
      amount: amountCents,
      metadata: { order_id: orderId, refund_id: refundId },
    };
    return ask('refund', () => this.stripe.refunds.create(params, { idempotencyKey }));
  }

  /** Undefined if Stripe has no refund with our id. */
  private look({ reference, refundId }: RefundRequest): Promise<RefundOutcome | undefined> {
    return ask('asking for refunds', async () => {
      for await (const refund of this.stripe.refunds.list({ payment_intent: reference, limit: PAGE })) {
        if (refund.metadata?.refund_id === refundId) return refundOutcome(refund);
      }
      return undefined;
    });
  }
}

export function refundOutcome(refund: Stripe.Refund): Exclude<RefundOutcome, { is: 'waiting' }> {
  const { id: reference, status, failure_reason } = refund;
  if (status === 'succeeded') return { is: 'succeeded', reference };
  if (status === 'failed' || status === 'canceled') {
    return { is: 'failed', reference, reason: word(failure_reason) ?? status };
  }
  return { is: 'pending', reference };
}

const hasNoBalance = ({ isRefusal, clues }: StripeFault): boolean => isRefusal && NO_BALANCE.includes(clues.code ?? '');
