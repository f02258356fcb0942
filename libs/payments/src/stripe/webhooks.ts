import type Stripe from 'stripe';
import type { Clock } from '#base/clock';
import { type ProviderEvent, type ReceivedWebhook, WebhookRefused } from '../provider-events.js';
import { eventOf } from './events.js';

const OLDEST_S = 300;

/** @throws WebhookRefused. The package's own error has the payload in it. */
export function readWebhook(
  stripe: Stripe,
  { secret, clock }: Readonly<{ secret: string; clock: Clock }>,
  { body, headers }: ReceivedWebhook,
): ProviderEvent {
  const signature = headers['stripe-signature'];
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, String(signature), secret, OLDEST_S, undefined, clock.now());
  } catch {
    throw new WebhookRefused('Stripe: the signature of the webhook is wrong, or too old.');
  }
  return eventOf(event);
}
