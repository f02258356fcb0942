import type { OrderDetail } from '#contracts/backoffice/order';

export type Buyer = Readonly<{ name: string; email: string; phone: string; address: string }>;

type Fields = Readonly<Record<string, unknown>>;

/** Where a buyer's data may be: the revealed data first, then the buyer, the receiver of the tickets, and the payer. */
export function buyerSources(data: Fields, order: OrderDetail): readonly Fields[] {
  return [...objects(data), order.buyer ?? {}, order.delivery_method.data, order.payment?.billing ?? {}];
}

/** The first of these fields that has a text. */
export function firstText(sources: readonly Fields[], names: readonly string[]): string {
  return sources.flatMap((source) => names.map((name) => text(source[name]))).find((value) => value !== '') ?? '';
}

/** What is shown of a buyer, from the order or from what was revealed. */
export function buyerOf(data: Fields, order: OrderDetail): Buyer {
  const sources = buyerSources(data, order);
  const first = (...names: string[]) => firstText(sources, names);
  const name = [first('first_name'), first('last_name')].filter((part) => part !== '').join(' ');
  const street = [first('address1', 'street_address', 'address', 'street'), first('address2', 'extended_address')];
  const city = [first('city', 'locality'), first('state', 'region'), first('postal_code', 'zip')]
    .filter((part) => part !== '')
    .join(' ');
  return {
    name,
    email: first('email'),
    phone: first('phone', 'phone_number'),
    address: [...street, city, first('country')].filter((part) => part !== '').join(', '),
  };
}

/** The object itself, and the objects in it. */
function objects(value: Fields): Fields[] {
  const inner = Object.values(value).filter((one): one is Fields => typeof one === 'object' && one !== null);
  return [value, ...inner.flatMap((one) => (Array.isArray(one) ? [] : objects(one)))];
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
