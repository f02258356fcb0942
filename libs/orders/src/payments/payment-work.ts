import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { JobProcessor } from '#delivery-kit/queue-task';
import { OrderWaits } from '../deadlines/order-waits.js';
import { type DuePayment, DuePayments } from './due-payments.js';
import { PaymentQueue } from './payment-queue.js';
import { PaymentSteps } from './payment-steps.js';
import { ProviderShort } from './refund-pace.js';
import { StepWaits } from './step-waits.js';

const AT_ONCE = 500;

/** A job is only a wake-up. The row says what is due. */
@Injectable()
export class PaymentWork implements JobProcessor<DuePayment> {
  private readonly waits: OrderWaits;
  private readonly turnMs: number;

  constructor(
    private readonly due: DuePayments,
    private readonly queue: PaymentQueue,
    private readonly steps: PaymentSteps,
    @Inject(DatabaseClock) private readonly clock: Clock,
    { PAYMENT_RETRY_FIRST_MS: first, PAYMENT_RETRY_MAX_MS: longest, PAYMENT_SWEEP_MS: turnMs }: Settings,
  ) {
    this.turnMs = turnMs;
    this.waits = new OrderWaits(clock, { first, longest });
  }

  /** A job that already waits is not added twice. */
  async schedule(): Promise<void> {
    const due = await this.due.find(this.clock.iso(), { limit: AT_ONCE, except: this.waits.orders });
    await this.queue.add(due.map((payment) => ({ id: `${payment.id}-${payment.step}-${payment.n}`, data: payment })));
  }

  /** Throws what a step throws. The next attempt then waits longer. What only waits for the provider is no error. */
  async process({ id, step, n }: DuePayment): Promise<void> {
    const metadata = { transaction_id: `${step}-${id}-${n}`, actor: `system:${step}` };
    await this.waits
      .attempt(id, () => this.steps.run(id, metadata))
      .catch((error: unknown) => {
        if (!(error instanceof StepWaits)) throw error;
        // Once the provider has money again, all refunds that waited for it come soon.
        if (error instanceof ProviderShort) this.waits.hold(id, this.turnMs);
      });
  }
}
