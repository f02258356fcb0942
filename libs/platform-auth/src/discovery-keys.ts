import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { hasDigest, newToken, tokenDigest } from '#crypto/token';
import { Clock } from '#runtime/clock';
import { Randomness } from '#runtime/randomness';
import { RevalidatingCache } from '#runtime/revalidating-cache';
import { isClientId } from './signature.js';

/** What a request shows: the public id, and the secret if it sent one. */
export type KeyCredentials = Readonly<{ clientId: string; secret?: string | undefined }>;

/** A key that lets in; without a rate of its own the setting's holds. */
export type LiveKey = Readonly<{ clientId: string; ratePerSecond: number | null }>;

/** What is left out is made; without `withSecret` there is none. */
export type NewKey = Readonly<{
  clientId?: string | undefined;
  name: string;
  ratePerSecond?: number | undefined;
  withSecret?: boolean | undefined;
}>;

/** The one time that a secret is shown. */
export type IssuedKey = Readonly<{ clientId: string; secret: string | undefined }>;

export type ListedKey = Readonly<{
  clientId: string;
  name: string;
  hasSecret: boolean;
  ratePerSecond: number | null;
  createdAt: Date;
  revokedAt: Date | null;
  /** Of the last 30 days, the newest first; days without requests are left out. */
  usage: readonly KeyUsageDay[];
}>;

/** `day` is a date in UTC; `throttled` are those of the requests that were answered 429. */
export type KeyUsageDay = Readonly<{ day: string; requests: number; throttled: number }>;

export type DiscoveryKeyError = Readonly<{ refused: keyof typeof REFUSALS; message: string }>;

const REFUSALS = {
  KEY_ID_INVALID: 'A key is 1 to 128 visible ASCII characters, without ":".',
  KEY_NAME_INVALID: 'A name is 1 to 200 characters.',
  KEY_RATE_INVALID: 'A rate is a whole number of requests a second, from 1 to 1000000.',
  KEY_EXISTS: 'There is such a key already.',
  KEY_UNKNOWN: 'There is no such key.',
};

/** The keys of the public discovery API. `admit` answers from memory; a change is seen by every process within 5 s. */
@Injectable()
export class DiscoveryKeys {
  readonly #live: RevalidatingCache<ReadonlyMap<string, LiveRow>>;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    this.#live = new RevalidatingCache(() => this.#readLive(), clock);
  }

  /** After the database was restored. */
  forget(): void {
    this.#live.forget();
  }

  /** The key, unless it is unknown or revoked, or has a secret and another one was sent. */
  async admit({ clientId, secret }: KeyCredentials): Promise<LiveKey | undefined> {
    const key = (await this.#live.get()).get(clientId) ?? (await this.#lookedUpAgain(clientId));
    return key && (secret === undefined || mayBeSecretOf(key, secret)) ? key : undefined;
  }

  /** Only if there is none of this id yet, revoked ones included. */
  async create({
    clientId = `key_${this.randomness.bytes(16).toString('hex')}`,
    name,
    ratePerSecond,
    withSecret = false,
  }: NewKey): Promise<IssuedKey | DiscoveryKeyError> {
    if (!isClientId(clientId)) return refused('KEY_ID_INVALID');
    if (!NAME.test(name)) return refused('KEY_NAME_INVALID');
    if (ratePerSecond !== undefined && !isRate(ratePerSecond)) return refused('KEY_RATE_INVALID');
    const secret = withSecret ? newToken(this.randomness) : undefined;
    const values = [clientId, name, secret && tokenDigest(secret), ratePerSecond, this.clock.iso()];
    const { rowCount } = await this.pool.query(CREATE, values);
    if (rowCount === 0) return refused('KEY_EXISTS');
    await this.#live.refreshAfterChange();
    return { clientId, secret };
  }

  /** From now on the key lets nobody in, and its id is not given again; again changes nothing. */
  async revoke(clientId: string): Promise<DiscoveryKeyError | undefined> {
    const { rowCount } = await this.pool.query(REVOKE, [clientId, this.clock.iso()]);
    if (rowCount === 0) return refused('KEY_UNKNOWN');
    await this.#live.refreshAfterChange();
    return undefined;
  }

  /** All there ever were, oldest first, without what is secret. */
  async list(): Promise<readonly ListedKey[]> {
    const { rows } = await this.pool.query<ListedKey>(LIST, [this.clock.iso()]);
    return rows;
  }

  /** One that was made a moment ago elsewhere is looked for once more. */
  async #lookedUpAgain(clientId: string): Promise<LiveRow | undefined> {
    return (await this.#live.refresh()) ? (await this.#live.get()).get(clientId) : undefined;
  }

  async #readLive(): Promise<ReadonlyMap<string, LiveRow>> {
    const { rows } = await this.pool.query<LiveRow>({ name: 'live-discovery-keys', text: READ_LIVE });
    return new Map(rows.map((row) => [row.clientId, row]));
  }
}

type LiveRow = LiveKey & Readonly<{ secretDigest: Buffer | null }>;

const NAME = /^[^\p{C}]{1,200}$/u;
const MOST_A_SECOND = 1_000_000;

const CREATE = `
  insert into discovery_keys (client_id, name, secret_digest, rate_per_second, created_at) values ($1, $2, $3, $4, $5)
  on conflict (client_id) do nothing`;

const REVOKE = 'update discovery_keys set revoked_at = coalesce(revoked_at, $2) where client_id = $1';

const READ_LIVE = `
  select client_id as "clientId", rate_per_second as "ratePerSecond", secret_digest as "secretDigest"
  from discovery_keys where revoked_at is null`;

const LIST = `
  select client_id as "clientId", name, secret_digest is not null as "hasSecret", rate_per_second as "ratePerSecond",
    created_at as "createdAt", revoked_at as "revokedAt",
    (select coalesce(json_agg(json_build_object('day', day, 'requests', requests, 'throttled', throttled) order by day desc), '[]')
      from discovery_key_usage as used
      where used.client_id = key.client_id and day > ($1::timestamptz at time zone 'UTC')::date - 30) as usage
  from discovery_keys as key order by created_at, client_id`;

/** A key that has none lets in without: what a client sends along anyway is nothing to refuse it for. */
function mayBeSecretOf({ secretDigest }: LiveRow, secret: string): boolean {
  return secretDigest === null || hasDigest(secret, secretDigest);
}

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1 && rate <= MOST_A_SECOND;
}

function refused(code: keyof typeof REFUSALS): DiscoveryKeyError {
  return { refused: code, message: REFUSALS[code] };
}
