import type { Clock } from '#base/clock';
import type { Settings } from '#base/settings';
import { dollarsOf } from '#domain/money';
import { paymentTotal, wholesaleTotal } from '#domain/pricing';
import { termsOf } from '#listings/listing';
import { sampleListingsOn } from '#listings/sample-listings';
import { authorizationHeader, signedPath } from '#base/signature';
import type { Shell } from './terminal/shell.js';

const QUANTITY = 2;

/**
 * The command that buys two tickets of a sample listing as the platform would: a signed `curl`. It works once, because its `ref_id`
 * is taken afterwards. In a shell that cannot quote JSON it is our own command, which signs for itself.
 */
export function demoPurchase(settings: Settings, clock: Clock, shell: Shell): string {
  if (!shell.supportsJson) return ownCommand(settings, clock, shell);
  const url = new URL(`${settings.PUBLIC_URL}/checkout/v1/purchases`);
  const body = JSON.stringify(bodyFor(settings.CHECKOUT_VARIANT, clock));
  const authorization = authorizationHeader(settings.CHECKOUT_SCHEME, settings.CHECKOUT_CLIENT_ID ?? '', {
    method: 'POST',
    path: signedPath(url.pathname),
    body: Buffer.from(body),
    secret: settings.CHECKOUT_CLIENT_SECRET ?? '',
  });
  return [
    `${shell.curl} -i ${shell.quote(url.href)}`,
    `-H ${shell.quote(`Authorization: ${authorization}`)}`,
    `-H ${shell.quote(`X-${settings.CHECKOUT_SCHEME}-Transaction-Id: demo-${clock.now()}`)}`,
    `-H ${shell.quote('Content-Type: application/json')}`,
    `-d ${shell.quote(body)}`,
  ].join(' \\\n    ');
}

function ownCommand({ CHECKOUT_VARIANT }: Settings, clock: Clock, shell: Shell): string {
  const { id, body } = sampleListing(CHECKOUT_VARIANT, clock);
  return `${shell.willcall} platform buy ${id} --event ${termsOf(body).eventId} --quantity ${QUANTITY}`;
}

function bodyFor(variant: 'payment' | 'wholesale', clock: Clock): object {
  const sample = sampleListing(variant, clock);
  const terms = termsOf(sample.body);
  const product = { event_id: terms.eventId, listing_id: sample.id, quantity: QUANTITY };
  const refId = `demo-${clock.now()}`;
  if (variant === 'wholesale') {
    return { product: { ...product, total: dollarsOf(wholesaleTotal(terms, QUANTITY)) }, ref_id: refId };
  }
  const total = paymentTotal(terms, { quantity: QUANTITY, delivery: { type: 'download' } });
  return {
    product,
    user: { email: 'ada@example.com' },
    payment: { total: dollarsOf(total?.totalCents ?? 0), type: 'creditcard', data: testCard(clock) },
    delivery_method: { type: 'download', data: { email: 'ada@example.com' } },
    ref_id: refId,
  };
}

function sampleListing(variant: 'payment' | 'wholesale', clock: Clock) {
  const sample = sampleListingsOn(clock).find(({ id }) => id === `demo-${variant}-1`);
  if (!sample) throw new Error(`The sample listings lack demo-${variant}-1.`);
  return sample;
}

function testCard(clock: Clock): object {
  return {
    card_number: '4111111111111111',
    expiry_month: '12',
    expiry_year: String(new Date(clock.now()).getUTCFullYear() + 2),
    cvv: '123',
    first_name: 'Ada',
    last_name: 'Lovelace',
    address1: '12 Main St',
    city: 'Boston',
    state: 'MA',
    zip: '02108',
    country: 'US',
  };
}
