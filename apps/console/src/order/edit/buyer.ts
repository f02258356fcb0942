export type Buyer = Readonly<{ name: string; email: string; phone: string; address: string }>;

export type Fields = Readonly<Record<string, unknown>>;

/** The parts of an order that may name its buyer. */
type OrderParts = Readonly<{
  buyer: Fields | null;
  delivery_method: Readonly<{ data: Fields }>;
  payment: Readonly<{ billing: Fields | null }> | null;
}>;

/** Where a buyer's data may be: the revealed data first, then the buyer, the receiver of the tickets, and the payer. */
export function buyerSources(data: Fields, order: OrderParts): readonly Fields[] {
  return [...objects(data), order.buyer ?? {}, order.delivery_method.data, order.payment?.billing ?? {}];
}

/** The first of these fields that has a text. */
export function firstText(sources: readonly Fields[], names: readonly string[]): string {
  return sources.flatMap((source) => names.map((name) => text(source[name]))).find((value) => value !== '') ?? '';
}

const STREET = ['address1', 'street_address', 'address', 'street'];
const CITY = ['city', 'locality'];

/**
 * The first source that is whole, and corrections of parts before it. So a person with one name, or an address without a postal code, gets no
 * part of another's.
 */
function upTo(sources: readonly Fields[], isWhole: (source: Fields) => boolean): readonly Fields[] {
  const whole = sources.findIndex(isWhole);
  return whole < 0 ? sources : sources.slice(0, whole + 1);
}

/** What is shown of a buyer, from the order or from what was revealed. */
export function buyerOf(data: Fields, order: OrderParts): Buyer {
  const sources = buyerSources(data, order);
  const first = (...names: string[]) => firstText(sources, names);
  const named = upTo(sources, (source) => 'first_name' in source && 'last_name' in source);
  const name = [firstText(named, ['first_name']), firstText(named, ['last_name'])]
    .filter((part) => part !== '')
    .join(' ');
  const placed = upTo(sources, (source) => [STREET, CITY].every((names) => firstText([source], names) !== ''));
  const own = (...names: string[]) => firstText(placed, names);
  const city = [own(...CITY), own('state', 'region'), own('postal_code', 'zip')]
    .filter((part) => part !== '')
    .join(' ');
  const address = [own(...STREET), own('address2', 'extended_address'), city, own('country')];
  return {
    name,
    email: first('email'),
    phone: first('phone', 'phone_number'),
    address: address.filter((part) => part !== '').join(', '),
  };
}

/** The object itself, and the objects in it. */
function objects(value: Fields): Fields[] {
  const inner = Object.values(value).filter((one): one is Fields => typeof one === 'object' && one !== null);
  return [value, ...inner.flatMap((one) => (Array.isArray(one) ? [] : objects(one)))];
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
