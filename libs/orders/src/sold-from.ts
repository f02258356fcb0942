import type { SoldFrom } from '#domain/order-events';
import type { DeliveryForm } from '#domain/pricing';
import type { Listing } from '#listings/listing';

/** What an order keeps of its listing. `seats` is undefined if the listing names too few. */
export function soldFrom({ externalId, speculative }: Listing, seats: readonly string[] | undefined): SoldFrom {
  return {
    ...(seats && { seats }),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(speculative && { speculative }),
  };
}

/** How tickets are delivered by this type: empty for the first form of the type. */
export function deliveryFormOf(listing: Listing, type: string): Readonly<{ delivery_form?: DeliveryForm }> {
  const form = listing.deliveryMethods.find((method) => method.type === type)?.form;
  return form ? { delivery_form: form } : {};
}
