import type { ClientBase, Pool } from 'pg';
import type { LedgerKey, LedgerKeys } from './hash-chain.js';
import type { AuditHead } from './ledger/audit-head.js';
import type { FeedHead } from './feed-head.js';

/**
 * Says, under the key of the ledger, that feed and audit log had these heads at this time. A row of the table `ledger`, or an anchor outside
 * of it.
 */
export type SignedHead = FeedHead & Readonly<{ audit: AuditHead; at: string; mac: Buffer }>;

export function signHead({ position, head }: FeedHead, audit: AuditHead, at: string, key: LedgerKey): SignedHead {
  const unsigned = { position, head, audit, at };
  return { ...unsigned, mac: key.head(textOf(unsigned)) };
}

export function isSignedBy(key: LedgerKey, signed: SignedHead): boolean {
  return key.isHeadMac(signed.mac, textOf(signed));
}

function textOf({ position, head, audit, at }: Omit<SignedHead, 'mac'>): string {
  return [position, head.toString('hex'), audit.position, audit.hash.toString('hex'), at].join('\n');
}

/** Leaves a row of the same position alone. Only a forged one can be there. */
export async function appendToLedger(
  client: ClientBase,
  { position, head, audit, at, mac }: SignedHead,
): Promise<void> {
  const values = [position, head, audit.position, audit.hash, at, mac];
  await client.query({ name: 'append-to-ledger', text: APPEND, values });
}

/** The last head with a sound signature. Whoever can add rows could otherwise make the ledger go on behind the end of the feed. */
export async function lastOfLedger(client: ClientBase, keys: LedgerKeys): Promise<SignedHead | undefined> {
  const { rows } = await client.query<LedgerRow>(LAST);
  return rows.map(fromRow).find((signed) => isSound(signed, keys));
}

function isSound(signed: SignedHead, keys: LedgerKeys): boolean {
  const key = keys.of(signed.mac);
  return key !== undefined && isSignedBy(key, signed);
}

/** Those at one position of the feed and up to another, in order. */
export async function ledgerBetween(client: ClientBase, from: number, upTo: number): Promise<SignedHead[]> {
  const { rows } = await client.query<LedgerRow>({ name: 'ledger-between', text: BETWEEN, values: [from, upTo] });
  return rows.map(fromRow);
}

/** The first that covers the event at this position of the feed. Undefined until the next one is signed. */
export async function headCovering(client: ClientBase | Pool, position: number): Promise<SignedHead | undefined> {
  const { rows } = await client.query<LedgerRow>({ name: 'head-covering', text: COVERING, values: [position] });
  return rows.map(fromRow)[0];
}

type LedgerRow = {
  position: string;
  head: Buffer;
  audit_position: string;
  audit_hash: Buffer;
  chained_at: Date;
  mac: Buffer;
};

const LAST_ROWS = 1_000;

const SELECT = 'select position, head, audit_position, audit_hash, chained_at, mac from ledger';
const LAST = `${SELECT} order by position desc, audit_position desc limit ${LAST_ROWS}`;
const BETWEEN = `${SELECT} where position between $1 and $2 order by position, audit_position`;

const COVERING = `${SELECT} where position >= $1 order by position, audit_position limit 1`;

const APPEND = `
  insert into ledger (position, head, audit_position, audit_hash, chained_at, mac) values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing`;

function fromRow({ position, head, audit_position, audit_hash, chained_at, mac }: LedgerRow): SignedHead {
  // A time beyond what a Date can hold was not written by us, and fits no signature.
  const at = Number.isNaN(Number(chained_at)) ? String(chained_at) : new Date(chained_at).toISOString();
  return { position: Number(position), head, audit: { position: Number(audit_position), hash: audit_hash }, at, mac };
}
