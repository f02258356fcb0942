import type { OrderEvent, ReceivedPurchase } from '#domain/order/order-events';
import { idInStream } from '#event-store/stream-name';
import type { Commit, InlineWriter } from '#event-store/inline-writer';

/** The writer's name. A duplicate purchase fails with it as `WriterRefused.writer`. */
export const PURCHASE_KEYS = 'purchase_keys';

const columns = { client_id: 'text', key: 'text', order_id: 'text' } as const;

/** A unique key per purchase detects duplicates (contract, section 4 "Duplicate"), also under concurrency. */
export const purchaseKeysWriter: InlineWriter = {
  name: PURCHASE_KEYS,
  columns,
  statement: (rows) =>
    `insert into purchase_keys (client_id, key, order_id) select client_id, key, order_id from ${rows} returning 1`,
  rows: (commit) => {
    const [first] = commit.appended as readonly OrderEvent[];
    return first?.type === 'PurchaseReceived' ? keyRows(commit, first.data) : [];
  },
};

/** Frees the `ref_id` of an attempt whose payment failed, so the platform may try another card. */
export const freedPurchaseKeysWriter: InlineWriter = {
  name: 'freed_purchase_keys',
  columns,
  statement: (rows) => `delete from purchase_keys k using ${rows}
    where k.client_id = freed_purchase_keys.client_id and k.key = freed_purchase_keys.key
      and k.order_id = freed_purchase_keys.order_id returning 1`,
  rows: (commit) => {
    const appended = commit.appended as readonly OrderEvent[];
    const cameToNothing = appended.some(({ type }) => type === 'PaymentDeclined' || type === 'PaymentFailed');
    // With a status, the platform learns of the purchase, so its ref_id stays taken.
    const seen = ([...commit.past, ...appended] as readonly OrderEvent[]).some((event) => 'status' in event.data);
    const [first] = commit.past as readonly OrderEvent[];
    return cameToNothing && !seen && first?.type === 'PurchaseReceived' ? keyRows(commit, first.data) : [];
  },
};

function keyRows(commit: Commit, { client_id, duplicate_key: key }: ReceivedPurchase): object[] {
  return key === null ? [] : [{ client_id, key, order_id: idInStream('order', commit.stream) }];
}
