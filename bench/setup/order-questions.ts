import type { SeededRandomness } from '#base/seeded-randomness';
import {
  CLIENTS,
  emailOf,
  EVENTS,
  LAST_NAMES,
  lastNameOf,
  LISTINGS,
  phoneOf,
  refIdOf,
  skewed,
  trackingOf,
} from './order-histories.js';
import { placeOf, showNameOf } from './order-places.js';

export type Question = Readonly<Record<string, unknown>>;

const is = (field: string, value: unknown, op = '=') => ({ field, op, value });
const where = (condition: unknown): Question => ({ where: condition });
const DAY_MS = 86_400_000;

/** What to search for, by name: each call of a question asks for something else. */
export function questions(random: SeededRandomness, orders: number): Record<string, () => Question> {
  const day = () => new Date(Date.now() - random.fraction() * 700 * DAY_MS).toISOString();
  const client = () => `client-${skewed(random, CLIENTS)}`;
  const listing = () => skewed(random, LISTINGS);
  const event = () => String(1_000 + (listing() % EVENTS));
  const person = () => random.integer(orders);
  const pick = (field: string, values: readonly unknown[]) => () => where(is(field, random.pick(values)));
  return {
    nothing: () => ({}),
    status: pick('status', ['pending', 'confirmed', 'rejected', 'exception']),
    'status is_null': () => where(is('status', true, 'is_null')),
    status_code: pick('status_code', [1001, 1002, 2000, 2004, 3003, 3005, 4005, 2005]),
    stage: pick('stage', ['placed', 'declined', 'awaiting_payment', 'failed']),
    queue: pick('queue', ['to_confirm', 'review', 'to_ship', 'to_deliver', 'exceptions', 'overdue']),
    client_id: () => where(is('client_id', client())),
    'client_id !=': () => where(is('client_id', client(), '!=')),
    'client_id in': () => where(is('client_id', [client(), client()], 'in')),
    variant: pick('variant', ['payment', 'wholesale']),
    assignee: () => where(is('assignee', `opr_${random.integer(40)}`)),
    'assignee is_null': () => where(is('assignee', true, 'is_null')),
    id: () => where(is('id', 'ord_', 'starts_with')),
    event_id: () => where(is('event_id', event())),
    'event_id starts_with': () => where(is('event_id', event().slice(0, 2), 'starts_with')),
    listing_id: () => where(is('listing_id', `listing-${listing()}`)),
    ref_id: () => where(is('ref_id', refIdOf(person()))),
    'ref_id starts_with': () => where(is('ref_id', refIdOf(person()).slice(0, 6 + random.integer(5)), 'starts_with')),
    'ref_id is_null': () => where(is('ref_id', true, 'is_null')),
    transaction_id: () => where(is('transaction_id', `4c1f6a52-${refIdOf(person()).slice(3)}`)),
    'tracking_number starts_with': () =>
      where(is('tracking_number', trackingOf(random.integer(1e9)).slice(0, 4 + random.integer(6)), 'starts_with')),
    'tracking_number is_null': () => where(is('tracking_number', random.fraction() < 0.5, 'is_null')),
    card_last4: () => where(is('card_last4', String(random.integer(10_000)).padStart(4, '0'))),
    'card_last4 starts_with': () =>
      where(is('card_last4', String(random.integer(100)).padStart(2, '0'), 'starts_with')),
    'placed_at <': () => where(is('placed_at', day(), '<')),
    'placed_at >': () => where(is('placed_at', day(), '>')),
    'updated_at <': () => where(is('updated_at', day(), '<')),
    'updated_at >': () => where(is('updated_at', day(), '>')),
    due_at: () => where(is('due_at', day(), random.pick(['<', '>']))),
    quantity: () => where(is('quantity', 1 + random.integer(24))),
    'quantity >': () => where(is('quantity', random.integer(24), '>')),
    'total >': () => where(is('total', 20 + random.integer(9_990), '>')),
    'total <': () => where(is('total', 20 + random.integer(1_000), '<')),
    total: () => where(is('total', 20 + random.integer(1_000))),
    email: () => where(is('email', emailOf(person()))),
    phone: () => where(is('phone', phoneOf(person()))),
    last_name: () => where(is('last_name', lastNameOf(skewed(random, LAST_NAMES)))),
    'last_name is_null': () => where(is('last_name', random.fraction() < 0.5, 'is_null')),
    tag: pick('tag', ['vip', 'late', 'school', 'refund-asked']),
    has: pick('has', ['parked_ping', 'note', 'replacement', 'refund']),
    'not status': () => where({ not: is('status', 'confirmed') }),
    'status and placed_at': () =>
      where({
        and: [
          is('status', random.pick(['pending', 'confirmed', 'rejected', 'exception'])),
          is('placed_at', day(), '<'),
        ],
      }),
    'client_id and status': () =>
      where({ and: [is('client_id', client()), is('status', random.pick(['pending', 'rejected', 'exception']))] }),
    'event_id and status': () =>
      where({ and: [is('event_id', event()), is('status', random.pick(['confirmed', 'rejected', 'exception']))] }),
    'assignee and status': () =>
      where({
        and: [is('assignee', `opr_${random.integer(40)}`), is('status', random.pick(['confirmed', 'rejected']))],
      }),
    'last_name and event_id': () =>
      where({ and: [is('last_name', lastNameOf(skewed(random, LAST_NAMES))), is('event_id', event())] }),
    'tag and queue': () => where({ and: [is('tag', 'vip'), is('queue', 'exceptions')] }),
    'q, a ref_id': () => ({ q: refIdOf(person()).slice(0, 8 + random.integer(4)) }),
    'q, an e-mail address': () => ({ q: emailOf(person()) }),
    'q, a phone number': () => ({ q: phoneOf(person()) }),
    'q, a last name': () => ({ q: lastNameOf(skewed(random, LAST_NAMES)) }),
    'q, a full name': () => ({ q: `${lastNameOf(skewed(random, LAST_NAMES))} Ada` }),
    'q, how an address begins': () => ({ q: emailOf(person()).slice(0, 4 + random.integer(6)) }),
    'q, the end of an id': () => ({
      q: random
        .integer(2 ** 24)
        .toString(16)
        .padStart(6, '0'),
    }),
    'q, the last four of a card': () => ({ q: String(random.integer(10_000)).padStart(4, '0') }),
    'q, a show': () => ({ q: showNameOf(random.integer(EVENTS)) }),
    'q, how most shows begin': () => ({ q: 'show' }),
    'q, section and row': () => ({ q: placeOf(listing()) }),
    'q, a seat': () => ({ q: `${placeOf(listing())} ${1 + random.integer(50)}` }),
    'q, the beginning of an id': () => ({ q: 'ord_' }),
  };
}
