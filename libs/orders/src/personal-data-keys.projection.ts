import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import type { BuyerDigests } from './buyer-digests.js';
import { DIGEST_TYPES, digestColumns, digestsFrom, hex } from './digest-columns.js';
import type { PersonalDataKey } from './purchase-drafts.js';

/** The columns of table `personal_data_keys`. */
const COLUMNS = {
  order_id: 'text',
  placed_at: 'timestamptz',
  key: 'bytea',
  ...DIGEST_TYPES,
  folded_at: 'timestamptz',
  address_digest: 'bytea',
  card_digest: 'bytea',
} as const;

const names = Object.keys(COLUMNS).join(', ');

/** Stores the key of a buyer's data in a separate table, with the digests by which the order is found. Both end with the row. */
export const personalDataKeysProjection: InlineProjection<Order, OrderEvent> = {
  name: 'personal_data_keys',
  columns: COLUMNS,
  statement: (rows) => `insert into personal_data_keys (${names}) select ${names} from ${rows} returning 1`,
  rows: ({ stream, after, attachments }) => {
    const given = attachments['personalDataKey'] as PersonalDataKey | undefined;
    return given && after.known ? [personalDataKeyRow(stream, after, given)] : [];
  },
};

/** The row of an order that gets its key with its first events. */
export function personalDataKeyRow(stream: string, { receivedAt }: KnownOrder, given: PersonalDataKey) {
  const { key, digests, address, card } = given;
  const order = { order_id: orderIdOf(stream) ?? stream, placed_at: receivedAt, folded_at: receivedAt, key: hex(key) };
  const counted = { address_digest: address ? hex(address) : null, card_digest: card ? hex(card) : null };
  return { ...order, ...digestColumns(digests), ...counted };
}

/** After a correction the order is found by what is right, and no longer by what was wrong. */
export const correctedBuyersProjection: InlineProjection<Order, OrderEvent> = {
  name: 'corrected_buyers',
  columns: {
    order_id: 'text',
    key: 'bytea',
    ...DIGEST_TYPES,
  },
  statement: (rows) => `
    update personal_data_keys k
    set key = coalesce(new.key, k.key), ${digestsFrom('new')}, folded_at = clock_timestamp()
    from (select * from ${rows}) as new where k.order_id = new.order_id returning 1`,
  rows: ({ stream, appended, attachments }) => {
    const digests = attachments['correctedDigests'] as BuyerDigests | undefined;
    if (!digests || !appended.some(({ type }) => type === 'BuyerCorrected')) return [];
    const key = attachments['correctedKey'] as Buffer | undefined;
    return [{ order_id: orderIdOf(stream), key: key ? hex(key) : null, ...digestColumns(digests) }];
  },
};

/** Nobody can read the data again, neither in the log nor in a backup of the log. */
export const erasedPersonalDataProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_personal_data',
  columns: { order_id: 'text' },
  statement: (rows) =>
    `delete from personal_data_keys k using ${rows} where k.order_id = erased_personal_data.order_id returning 1`,
  rows: ({ stream, appended }) =>
    appended.some(({ type }) => type === 'PersonalDataErased') ? [{ order_id: orderIdOf(stream) }] : [],
};

/** Whether the order must have a key: for the buyer's data, or for notes. */
export function needsKey({ purchase, personalDataErased, hasSealedNotes }: KnownOrder): boolean {
  return hasSealedNotes || (purchase.personal !== null && !personalDataErased);
}
