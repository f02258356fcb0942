import type { InlineWriter } from '#event-store/inline-writer';
import { idInStream } from '#event-store/stream-name';
import type { PersonalDataKey } from './purchase-drafts.js';

/** Stores the key of a buyer's data in a separate table. */
export const personalDataKeysWriter: InlineWriter = {
  name: 'personal_data_keys',
  columns: { order_id: 'text', key: 'bytea', email_digest: 'bytea' },
  statement: (rows) =>
    `insert into personal_data_keys (order_id, key, email_digest) select order_id, key, email_digest from ${rows} returning 1`,
  rows: ({ stream, past, attachments }) => {
    const given = attachments['personalDataKey'] as PersonalDataKey | undefined;
    if (!given || past.length > 0) return [];
    const digest = given.emailDigest;
    return [{ order_id: idInStream('order', stream), key: hex(given.key), email_digest: digest && hex(digest) }];
  },
};

/** Erases the data by deleting its key. Nobody can read the data again, neither in the log nor in a backup of the log. */
export const erasedPersonalDataWriter: InlineWriter = {
  name: 'erased_personal_data',
  columns: { order_id: 'text' },
  statement: (rows) =>
    `delete from personal_data_keys k using ${rows} where k.order_id = erased_personal_data.order_id returning 1`,
  rows: ({ stream, appended }) =>
    appended.some(({ type }) => type === 'PersonalDataErased') ? [{ order_id: idInStream('order', stream) }] : [],
};

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
