import { ListingBody } from '#listings/listing.contract';

/** A valid body of PUT /backoffice/v1/listings/{id}: ten tickets at 100 and 10 dollars, sold in any quantity. */
export function listingBody(change: Partial<ListingBody> = {}): ListingBody {
  return ListingBody.parse({
    event_id: '1001',
    section: 'Floor',
    row: 'A',
    quantity: 10,
    split_rule: 'any',
    price: 100,
    fees: 10,
    wholesale_price: 90,
    delivery_methods: [{ type: 'download', name: 'E-tickets', cost: 0 }],
    ...change,
  });
}

/** A listing that matches `purchase-bodies.ts`: two tickets cost 220 + 19.53 tax in New York + 15.07 shipping. */
export function checkoutListing(change: Partial<ListingBody> = {}): ListingBody {
  return listingBody({
    event_id: '5512',
    wholesale_price: 90.01,
    tax_rate: 0.05,
    tax_rates: { 'US-NY': 0.08875 },
    delivery_methods: [
      { type: 'ship', name: 'Courier', cost: 15.07, costs: { US: 15.07, CA: 30, 'CA-QC': 32.5 } },
      { type: 'download', name: 'E-tickets', cost: 0 },
      { type: 'transfer', name: 'Transfer', cost: 1.5 },
      { type: 'will_call', name: 'Box office', cost: 0 },
    ],
    ...change,
  });
}
