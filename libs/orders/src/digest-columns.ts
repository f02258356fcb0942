import type { BuyerDigests } from './buyer-digests.js';
import type { BuyerField } from './buyer-folding.js';
import { afterStart } from './email-start.js';

/** Where table `personal_data_keys` has the digests by which buyers are found. */
export const DIGEST_COLUMNS = {
  email: 'email_digest',
  phone: 'phone_digest',
  first_name: 'first_name_digest',
  last_name: 'last_name_digest',
  full_name: 'full_name_digest',
  email_start: 'email_start',
} as const satisfies Record<BuyerField | 'email_start', string>;

/** The digests of what a person's field may be, or of how it begins. */
export type WantedDigests = Readonly<{ field: keyof typeof DIGEST_COLUMNS; digests: readonly Buffer[] }>;

/** The condition that a row of `personal_data_keys` has one of these in its own column. `add` makes a parameter. */
export function hasDigest({ field, digests }: WantedDigests, add: (value: unknown) => string, row = ''): string {
  const column = `${row}${DIGEST_COLUMNS[field]}`;
  if (field !== 'email_start') return `${column} = any(${add(digests)}::bytea[])`;
  const begins = digests.map((start) => `(${column} >= ${add(start)} and ${column} < ${add(afterStart(start))})`);
  return `(${begins.join(' or ')})`;
}

/** All columns with digests of buyers, and their types. */
export const DIGEST_TYPES = {
  email_digest: 'bytea',
  phone_digest: 'bytea',
  first_name_digest: 'bytea',
  last_name_digest: 'bytea',
  full_name_digest: 'bytea',
  email_start: 'bytea',
  other_digests: 'bytea[]',
} as const;

type DigestTypes = typeof DIGEST_TYPES;

/** The values of these columns as text. */
type DigestValues = Readonly<{
  [Column in keyof DigestTypes]: (DigestTypes[Column] extends 'bytea[]' ? readonly string[] : string) | null;
}>;

const COLUMNS = Object.keys(DIGEST_TYPES) as (keyof DigestTypes)[];

/** Of `update personal_data_keys`, from a table with the same columns. */
export function digestsFrom(table: string): string {
  return COLUMNS.map((column) => `${column} = ${table}.${column}`).join(', ');
}

/** For the columns of `json_to_recordset`. */
export const DIGEST_DEFINITIONS = COLUMNS.map((column) => `${column} ${DIGEST_TYPES[column]}`).join(', ');

export function digestColumns(digests: BuyerDigests): DigestValues {
  const text = (field: BuyerField) => digests[field] && hex(digests[field]);
  return {
    email_digest: text('email'),
    phone_digest: text('phone'),
    first_name_digest: text('first_name'),
    last_name_digest: text('last_name'),
    full_name_digest: text('full_name'),
    // Not null: null is what has not been made yet.
    email_start: hex(digests.email_start ?? Buffer.alloc(0)),
    other_digests: digests.others.length > 0 ? digests.others.map(hex) : null,
  };
}

/** Bytes as PostgreSQL reads them from text. */
export function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
