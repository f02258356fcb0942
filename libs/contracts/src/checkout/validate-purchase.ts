import { centsOf } from '#domain/money';
import { areMarketFields, type MarketFields } from '../market-fields.js';
import { type Delivery, readDelivery } from './delivery.js';
import type { ValidationIssue } from './error-body.js';
import { Fields, isObject } from './fields.js';
import { type Payment, readPayment } from './payment.js';

/** The client's variant decides what it submits, not the body. */
export type Variant = 'payment' | 'wholesale';

export type Product = Readonly<{ event_id: string; listing_id: string; quantity: number }>;
export type User = Readonly<{
  email?: string;
  phone?: string;
  ip_address?: string;
  location?: Readonly<{ lat?: number; lon?: number }>;
}>;

type Submitted = Readonly<{
  product: Product;
  /** `payment.total` or `product.total`, in cents. */
  total_cents: number;
  user: User | null;
  ref_id: string | null;
  trusted: boolean;
  market_specific_fields: MarketFields | null;
}>;
export type WholesalePurchase = Submitted & Readonly<{ variant: 'wholesale' }>;
export type PaymentPurchase = Submitted & Readonly<{ variant: 'payment'; payment: Payment; delivery_method: Delivery }>;

/** A purchase with valid fields. The listing, its stock and its price are not checked yet. */
export type ValidPurchase = WholesalePurchase | PaymentPurchase;

/** The valid parts of a faulty purchase, so its listing can still be checked. */
export type SoundParts = Readonly<{
  product?: Readonly<{ listing_id: string; event_id?: string; quantity?: number }>;
  total_cents?: number;
  /** Set when everything that its cost depends on is valid. */
  delivery?: Delivery;
  /** Null where none was sent. */
  ref_id?: string | null;
}>;

// The database counts stock as int.
const MAX_QUANTITY = 2 ** 31 - 1;

/**
 * Validates the body of a purchase, whatever it is. It never throws. It is written by hand, because each field has its own error
 * code and the answer lists all faults together. zod needs the same 2 µs of a wholesale body for the structure alone. `now` in ms.
 */
export function validatePurchase(
  variant: Variant,
  body: unknown,
  now: number,
): { purchase: ValidPurchase } | { faults: readonly ValidationIssue[]; sound: SoundParts } {
  const faults: ValidationIssue[] = [];
  const fields = Fields.of(body, faults);
  if (!fields) return { faults, sound: {} };
  const purchase = variant === 'wholesale' ? readWholesale(fields) : readPaid(fields, now);
  return purchase && faults.length === 0 ? { purchase } : { faults, sound: soundParts(variant, fields, faults) };
}

// The delivery cost depends on the place, not on the person, so the total is checked despite a faulty name or ZIP code.
const PRICED_BY = ['', '.type', '.data', '.data.country', '.data.state'].map((path) => `delivery_method${path}`);

/** Reads the valid parts again. Reading a faulty part again adds no fault. */
function soundParts(variant: Variant, body: Fields, faults: readonly ValidationIssue[]): SoundParts {
  const isSound = (path: string) => !faults.some(({ field }) => field === path || field.startsWith(`${path}.`));
  const product = body.object('product');
  if (!product || !isSound('product.listing_id')) return {};
  const { listing_id, event_id, quantity } = readProduct(product);
  const money = variant === 'wholesale' ? product : body.object('payment');
  const total =
    money && isSound(variant === 'wholesale' ? 'product.total' : 'payment.total') ? readTotal(money) : undefined;
  const priced = !faults.some(({ field }) => PRICED_BY.includes(field));
  const delivery = variant === 'payment' && priced ? readDelivery(body) : undefined;
  return {
    product: present({
      listing_id,
      event_id: isSound('product.event_id') ? event_id : undefined,
      quantity: isSound('product.quantity') ? quantity : undefined,
    }) as NonNullable<SoundParts['product']>,
    ...present({ total_cents: total, delivery, ref_id: isSound('ref_id') ? readRefId(body) : undefined }),
  };
}

function readWholesale(body: Fields): WholesalePurchase | null {
  const product = body.object('product');
  const common = readCommon(body);
  return product && { variant: 'wholesale', product: readProduct(product), total_cents: readTotal(product), ...common };
}

function readPaid(body: Fields, now: number): PaymentPurchase | null {
  const product = body.object('product');
  const money = body.object('payment');
  const total_cents = money ? readTotal(money) : 0;
  const payment = money && readPayment(money, now);
  const delivery_method = readDelivery(body);
  const common = readCommon(body);
  const read = product && readProduct(product);
  if (!read || !payment || !delivery_method) return null;
  return { variant: 'payment', product: read, total_cents, payment, delivery_method, ...common };
}

function readProduct(product: Fields): Product {
  const quantity = product.raw('quantity');
  const valid = typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY;
  if (!valid) product.fault('quantity', 40009);
  return {
    event_id: product.text('event_id'),
    listing_id: product.text('listing_id', 40012),
    quantity: valid ? quantity : 0,
  };
}

function readTotal(money: Fields): number {
  const total = money.raw('total');
  const cents = typeof total === 'number' && total >= 0 ? centsOf(total) : null;
  if (cents !== null) return cents;
  money.fault('total', 40026);
  return 0;
}

function readCommon(body: Fields): Pick<Submitted, 'user' | 'ref_id' | 'trusted' | 'market_specific_fields'> {
  return {
    user: readUser(body.optionalObject('user')),
    ref_id: readRefId(body),
    trusted: isTrusted(body.raw('is_trusted_user')),
    market_specific_fields: readMarketFields(body),
  };
}

function readRefId(body: Fields): string | null {
  const refId = body.optionalText('ref_id');
  if (refId === '') body.fault('ref_id');
  return refId ?? null;
}

function isTrusted(value: unknown): boolean {
  return value === true || value === 'true' || value === '1' || value === 1;
}

function readUser(user: Fields | null): User | null {
  if (!user) return null;
  const location = user.optionalObject('location');
  return present({
    email: user.optionalText('email'),
    phone: user.optionalText('phone'),
    ip_address: user.optionalText('ip_address'),
    location: location
      ? present({ lat: location.optionalNumber('lat'), lon: location.optionalNumber('lon') })
      : undefined,
  });
}

function readMarketFields(body: Fields): MarketFields | null {
  const fields = body.raw('market_specific_fields');
  if (fields === undefined || fields === null) return null;
  if (isObject(fields) && areMarketFields(fields)) return fields;
  body.fault('market_specific_fields');
  return null;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined fields, which JSON would drop anyway and `exactOptionalPropertyTypes` forbids. */
function present<T extends Readonly<Record<string, unknown>>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
