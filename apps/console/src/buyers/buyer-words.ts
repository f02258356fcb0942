const KNOWN_BY = {
  email: 'All orders with the same e-mail address',
  phone: 'All orders with the same phone number',
  order: 'Nothing is known of this buyer but this order',
} as const;

export const buyerWords = {
  title: 'Buyer',
  back: 'Order',
  missing: (id: string) => `There is no order ${id} that names a buyer.`,
  knownBy: KNOWN_BY,
  erased: 'The personal data was erased. No other order can be found by it.',
  fact: {
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    orders: 'Orders',
    total: 'Bought',
    refunded: 'Refunded',
    disputes: 'Disputes',
    since: 'First order',
  },
  orders: (count: string, rejected: number) => (rejected === 0 ? count : `${count}, ${rejected} rejected`),
  total: (amount: string, tickets: string) => `${amount} · ${tickets === '1' ? '1 ticket' : `${tickets} tickets`}`,
  disputes: (all: number, open: number) =>
    all === 0 ? 'none' : open === 0 ? `${all}, all ended` : `${all}, ${open} open`,
  reveal: 'Reveal',
  hide: 'Hide',
  list: 'Orders of this buyer',
  noOrders: 'No orders',
  more: 'More orders',
  column: {
    order: 'Order',
    status: 'Status',
    show: 'Show',
    seats: 'Seats',
    total: 'Total',
    card: 'Card',
    seller: 'Seller',
    placed: 'Placed',
  },
} as const;
