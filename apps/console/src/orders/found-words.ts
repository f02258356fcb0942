const list = new Intl.ListFormat('en', { type: 'conjunction' });

export const foundWords = {
  /** Of one value. */
  field: {
    id: 'order id',
    ref_id: 'ref id',
    tracking_number: 'tracking number',
    transaction_id: 'transaction id',
    listing_id: 'listing',
    event_id: 'show id',
    card_last4: 'card',
    show: 'show',
    place: 'section and row',
    seat: 'seat',
    email: 'e-mail',
    phone: 'phone',
    name: 'name',
  },
  /** Of all orders. */
  fields: {
    id: 'order ids',
    ref_id: 'ref ids',
    tracking_number: 'tracking numbers',
    transaction_id: 'transaction ids',
    listing_id: 'listings',
    event_id: 'show ids',
    card_last4: 'last four of cards',
    show: 'shows',
    place: 'sections and rows',
    seat: 'seats',
    email: 'e-mail addresses',
    phone: 'phone numbers',
    name: 'names',
  },
  searched: (fields: readonly string[]) => `Searched in ${list.format(fields)}.`,
  card: (last: string) => `card ending in ${last}`,
  notFound: 'You can type:',
  kinds: [
    ['ord_01a2… or 5aba1c', 'an order’s id, its beginning or its last 6 characters'],
    ['Ada Lovelace', 'first and last name in any order'],
    ['ada.love', 'an e-mail address, or at least 4 characters before the @'],
    ['212 555 0100', 'a whole phone number'],
    ['4242', 'the last four digits of the card'],
    ['Hamilton', 'words of the show’s name'],
    ['104 C 7', 'section, row and seat'],
    ['1Z999…', 'a ref id, tracking number, listing or transaction id, or its beginning'],
  ],
} as const;
