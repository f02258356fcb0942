import { dollarsOf } from '#domain/money';
import { paymentTotal, wholesaleTotal } from '#domain/pricing';
import type { Variant } from '#orders/validate-purchase.contract';
import type { SeededRandomness } from '#base/seeded-randomness';
import type { Listing } from '#listings/listing';
import { sampleCards, sampleFirstNames, sampleLastNames, sampleStreets, sampleTowns } from './sample-buyers.data.js';
import { sampleRefId } from '#listings/sample-ids';
import type { PlannedOrder } from './sample-plan.js';

// The card that the sandbox declines.
const DECLINED_CARD = '4000000000000002';

/** The body of the purchase, as the platform would submit it. */
export function samplePurchase(
  variant: Variant,
  { story, placedAt, quantity }: PlannedOrder,
  listing: Listing,
  random: SeededRandomness,
): object {
  const [first_name, last_name] = [random.pick(sampleFirstNames), random.pick(sampleLastNames)];
  const email = `${asciiOf(first_name)}.${asciiOf(last_name)}@example.com`;
  const phone = `+1 555 01${String(random.integer(10_000)).padStart(4, '0')}`;
  const address = { address1: `${1 + random.integer(180)} ${random.pick(sampleStreets)}`, ...random.pick(sampleTowns) };
  const product = { event_id: listing.eventId, listing_id: listing.id, quantity };
  const common = { user: { email, phone }, ref_id: sampleRefId(placedAt, random.integer(1_000)) };
  if (variant === 'wholesale') {
    return { ...common, product: { ...product, total: dollarsOf(wholesaleTotal(listing, quantity)) } };
  }
  const type = story.ships ? 'ship' : 'download';
  const total = paymentTotal(listing, { quantity, delivery: { type, address } });
  if (!total) throw new Error(`The sample listing ${listing.id} is not delivered by ${type}.`);
  const name = { first_name, last_name };
  return {
    ...common,
    product,
    payment: {
      total: dollarsOf(total.totalCents),
      type: 'creditcard',
      data: {
        card_number: story.declined ? DECLINED_CARD : random.pick(sampleCards),
        expiry_month: String(1 + random.integer(12)).padStart(2, '0'),
        expiry_year: String(new Date(placedAt).getUTCFullYear() + 1 + random.integer(4)),
        cvv: '123',
        ...name,
        ...address,
      },
    },
    delivery_method: { type, data: story.ships ? { ...name, ...address, phone } : { email } },
  };
}

function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}
