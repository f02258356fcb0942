import * as kind from './kinds.js';

const PROVIDERS = ['sandbox', 'stripe', 'braintree'] as const;

/** Who takes payments, and when. */
export const paymentSettings = {
  CURRENCY: kind
    .currency()
    .prefault('USD')
    .describe(
      'currency of every amount (ISO 4217, with two decimals); others than USD only with platforms that agreed on it',
    ),
  PAYMENT_PROVIDER: kind
    .choice(...PROVIDERS)
    .optional()
    .describe(
      'who takes cards of clients of the payment variant: sandbox (takes no money), stripe or braintree; unset = sandbox without DATABASE_URL, else nobody, and they cannot buy',
    ),
  PAYMENT_PROVIDER_A: kind
    .choice(...PROVIDERS)
    .optional()
    .describe('who takes payments of the type providera_token; unset = PAYMENT_PROVIDER'),
  PAYMENT_PROVIDER_B: kind
    .choice(...PROVIDERS)
    .optional()
    .describe('who takes payments of the type providerb_token; unset = PAYMENT_PROVIDER'),
  STRIPE_SECRET_KEY: kind.secret().optional().describe('secret key of Stripe, for the provider stripe'),
  STRIPE_WEBHOOK_SECRET: kind
    .secret()
    .optional()
    .describe("signing secret of Stripe's webhooks, which come to /payments/v1/stripe"),
  STRIPE_API_URL: kind
    .secureAddress()
    .optional()
    .describe("origin of Stripe's interface, for files too; unset = Stripe's own"),
  BRAINTREE_MERCHANT_ID: kind.secret().optional().describe('merchant id of Braintree, for the provider braintree'),
  BRAINTREE_PUBLIC_KEY: kind.secret().optional().describe('public key of Braintree'),
  BRAINTREE_PRIVATE_KEY: kind.secret().optional().describe('private key of Braintree'),
  BRAINTREE_API_URL: kind
    .secureAddress()
    .optional()
    .describe("whole address of Braintree's GraphQL interface; unset = that of production"),
  CAPTURE: kind
    .choice('confirmation', 'delivery')
    .prefault('confirmation')
    .describe(
      'when a held payment is taken: as soon as the order is confirmed, or once its tickets are sent; a listing may say otherwise',
    ),
  REFUND_APPROVAL_FROM: kind
    .dollars()
    .prefault('500')
    .describe("from so much on, an order's refunds by staff together, another person must approve"),
  REFUNDS_PER_SECOND: kind
    .integer(1, 10_000)
    .prefault('25')
    .describe(
      "refunds a second that each worker asks a provider for at most; the provider's limit holds for all calls, and purchases must find room",
    ),
  PAYMENT_TIMEOUT_MS: kind
    .milliseconds(100)
    .prefault('45000')
    .describe("time-out for the payment provider; must exceed the sandbox's late card (30 s)"),
  PAYMENT_OUTCOME_AFTER_MS: kind
    .milliseconds(100)
    .prefault('60000')
    .describe('when to ask the provider about a purchase without an outcome; at least PAYMENT_TIMEOUT_MS'),
  PAYMENT_SWEEP_MS: kind
    .milliseconds(100)
    .prefault('60000')
    .describe("how often the provider's events are read, and open captures, releases, refunds and disputes asked for"),
  PAYMENT_RETRY_FIRST_MS: kind
    .milliseconds(100)
    .prefault('5000')
    .describe('wait after the first failed step of a payment; each further one is twice as long'),
  PAYMENT_RETRY_MAX_MS: kind.milliseconds(100).prefault('600000').describe('longest wait between steps of a payment'),
};
