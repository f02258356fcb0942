import type { InlineWriter } from '#event-store/inline-writer';
import { idInStream } from '#event-store/stream-name';
import type { PersonalDataKey } from './purchase-drafts.js';

/** The key with which a buyer's data can be read, in a table of its own. */
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

/** Erasing: without the key nobody reads the data again, not in the log and not in a backup of it. */
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
