import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { RateLimiter } from '#delivery-kit/rate-limiter';
import type { PaymentProvider, RefundRequest } from '#payments/payment-provider';
import type { RefundOutcome } from '#payments/provider-answers';
import { PaymentProviders } from '#payments/payment-providers';
import { ProviderShortages } from '../provider-shortages.js';
import { StepWaits } from './step-waits.js';

/** The provider has no money for refunds. */
export class ProviderShort extends StepWaits {}

// Of a provider's rate: what may go at once after a pause.
const BURST_MS = 1_000;

/** Asks providers for refunds, no faster than each takes them, and hardly while one has no money. */
@Injectable()
export class RefundPace {
  private readonly limiters = new Map<string, RateLimiter>();

  constructor(
    private readonly providers: PaymentProviders,
    private readonly shortages: ProviderShortages,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** @throws Error if the provider is not configured any more */
  named(provider: string): PaymentProvider {
    return this.providers.named(provider);
  }

  /** @throws ProviderShort if the provider has no money for it, and another StepWaits if it cannot make it yet */
  async refund(provider: PaymentProvider, request: RefundRequest): Promise<Exclude<RefundOutcome, { is: 'waiting' }>> {
    const { name } = provider;
    const mayTry = await this.shortages.mayTry(name);
    if (mayTry === 'no') throw new ProviderShort(`${name} has no money for refunds.`);
    await this.turn(provider);
    const outcome = await provider.refund(request);
    if (outcome.is !== 'waiting') {
      if (outcome.is !== 'failed' && mayTry === 'turn') await this.shortages.ended(name);
      return outcome;
    }
    if (outcome.reason !== 'insufficient_funds') throw new StepWaits(`The refund waits at ${name}: ${outcome.reason}`);
    await this.shortages.began(name);
    throw new ProviderShort(`${name} has no money for refunds.`);
  }

  private async turn({ name, limitsCalls }: PaymentProvider): Promise<void> {
    if (!limitsCalls) return;
    const { REFUNDS_PER_SECOND: perSecond } = this.settings;
    const limiter = this.limiters.get(name) ?? new RateLimiter({ perSecond, burstMs: BURST_MS });
    this.limiters.set(name, limiter);
    const now = this.clock.monotonic();
    const waitMs = limiter.waitMs(now);
    limiter.take(now);
    if (waitMs > 0) await pause(waitMs);
  }
}
