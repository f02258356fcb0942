import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { Settings } from '#base/settings';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { connectBraintree } from './braintree.js';
import type { PaymentMethod, PaymentProvider } from './payment-provider.js';
import { SandboxPaymentProvider } from './sandbox-payment-provider.js';
import { connectStripe } from './stripe.js';
import { tracedProvider } from './traced-provider.js';

/**
 * The providers that are configured: those that take payments, and those whose keys are there because they took some before. Only these are
 * loaded: the packages of the others need not be installed.
 */
@Injectable()
export class PaymentProviders implements OnModuleInit {
  private readonly providers = new Map<string, PaymentProvider>();
  private readonly names: Readonly<Record<PaymentMethod['type'], string | undefined>>;

  constructor(
    private readonly settings: Settings,
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    const { PAYMENT_PROVIDER, PAYMENT_PROVIDER_A, PAYMENT_PROVIDER_B } = settings;
    this.names = {
      creditcard: PAYMENT_PROVIDER,
      providera_token: PAYMENT_PROVIDER_A ?? PAYMENT_PROVIDER,
      providerb_token: PAYMENT_PROVIDER_B ?? PAYMENT_PROVIDER,
    };
  }

  /** @throws Error that names the package of a provider that is not installed */
  async onModuleInit(): Promise<void> {
    const { settings, pool, clock, randomness } = this;
    const named = new Set(Object.values(this.names));
    if (named.has('sandbox')) this.add(new SandboxPaymentProvider(pool, clock));
    if (named.has('stripe') || settings.STRIPE_SECRET_KEY !== undefined) {
      this.add(await connectStripe(settings, clock, randomness));
    }
    if (named.has('braintree') || settings.BRAINTREE_PRIVATE_KEY !== undefined) {
      this.add(await connectBraintree(settings, clock, randomness));
    }
  }

  private add(provider: PaymentProvider): void {
    this.providers.set(provider.name, tracedProvider(provider));
  }

  get all(): readonly PaymentProvider[] {
    return [...this.providers.values()];
  }

  /** Undefined if nobody takes such payments. */
  ofMethod(type: PaymentMethod['type']): PaymentProvider | undefined {
    const name = this.names[type];
    return name === undefined ? undefined : this.providers.get(name);
  }

  find(name: string): PaymentProvider | undefined {
    return this.providers.get(name);
  }

  /**
   * The provider of a payment that exists.
   * @throws Error if it is not configured any more: the step is tried again later
   */
  named(name: string): PaymentProvider {
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`The payment provider ${name} is not configured, but has payments of ours.`);
    return provider;
  }
}
