import { ListingBody } from '#contracts/backoffice/listing';

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
