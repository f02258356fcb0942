import type { Status } from './order-status.js';

/** Amounts are US dollars with at most two decimals. The documents keep any fields that a marketplace adds. */
export type Listing = Readonly<{
  listing_id: string;
  section: string;
  row: string;
  notes: string;
  /** The quantities that can be bought now, ascending. */
  splits: readonly number[];
  /** For each ticket, without the fees. */
  price: number;
  /** For each ticket. */
  fees: number;
  /** For the whole purchase, at the requested quantity and place. */
  tax: number;
  /** `cost` is for the whole purchase. */
  delivery_methods: readonly Readonly<{ type: string; name: string; cost: number }>[];
  market_specific_fields?: Readonly<Record<string, unknown>>;
}>;

export type Address = Readonly<{
  first_name: string;
  last_name: string;
  address1: string;
  address2?: string;
  city: string;
  state?: string;
  zip?: string;
  country: string;
}>;

export type DeliveryMethod =
  | Readonly<{ type: 'ship'; data: Address & Readonly<{ phone: string }> }>
  | Readonly<{ type: 'download'; data?: Readonly<{ email?: string }> }>
  | Readonly<{ type: 'transfer'; data: Readonly<{ email: string }> }>
  | Readonly<{ type: 'will_call'; data: Readonly<{ first_name: string; last_name: string }> }>;

type Card = Readonly<{ card_number: string; expiry_month: string; expiry_year: string; cvv: string }>;

/** `total` must be equal, to the cent, to `(price + fees) * quantity + tax + cost of the delivery`. */
export type Payment =
  | Readonly<{ total: number; type: 'creditcard'; data: Card & Address }>
  | Readonly<{
      total: number;
      type: 'providera_token' | 'providerb_token';
      data: Readonly<{ token: string }> & Address;
    }>;

type Product = Readonly<{ event_id: string; listing_id: string; quantity: number }>;

type User = Readonly<{
  email?: string;
  phone?: string;
  ip_address?: string;
  location?: Readonly<{ lat: number; lon: number }>;
}>;

/** `ref_id` is the platform's own reference. Every purchase and ping returns it. */
type Sold = Readonly<{ user?: User; ref_id?: string; market_specific_fields?: Readonly<Record<string, unknown>> }>;

export type PaymentPurchase = Sold &
  Readonly<{ product: Product; payment: Payment; delivery_method: DeliveryMethod; is_trusted_user?: string }>;

export type WholesalePurchase = Sold & Readonly<{ product: Product & Readonly<{ total: number }> }>;

export type Fulfillment =
  | Readonly<{ type: 'ship'; data: Readonly<{ carrier: string; tracking_number: string }> }>
  | Readonly<{ type: 'download'; data: Readonly<{ url: string }> }>;

export type Purchase = Readonly<{
  id: string;
  status: Status;
  product: Product;
  delivery_method: Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;
  /** null until there is one. */
  fulfillment: Fulfillment | null;
  market_specific_fields?: Readonly<Record<string, unknown>>;
  ref_id?: string;
  /** Oldest first; the last one is `status`. */
  status_history?: readonly (Status & Readonly<{ created_at?: string }>)[];
}>;
