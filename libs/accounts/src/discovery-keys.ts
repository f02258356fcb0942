import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { hasDigest, isCredentialName, newToken, tokenDigest } from '#base/token';
import { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { isClientId } from '#base/signature';
import { type DiscoveryKey, USUAL_MAX_PER_PAGE } from './discovery-key.contract.js';
import { MAX_PER_PAGE } from './discovery-key.limits.js';
import { CredentialStore, type Refusal, refusing } from './credential-store.js';

export type KeyCredentials = Readonly<{ clientId: string; secret?: string | undefined }>;

/** Without its own rate the setting DISCOVERY_RATE_PER_SECOND applies. */
export type LiveKey = Readonly<{ clientId: string; ratePerSecond: number | null; maxPerPage: number }>;

/** A missing id is generated. Only `withSecret` generates a secret. */
export type NewKey = Readonly<{
  clientId?: string | undefined;
  name: string;
  ratePerSecond?: number | undefined;
  /** Documents; 500 by default. */
  maxPerPage?: number | undefined;
  withSecret?: boolean | undefined;
}>;

/** What is undefined stays. */
export type KeyChange = Readonly<{ ratePerSecond?: number | null | undefined; maxPerPage?: number | undefined }>;

export type IssuedKey = Readonly<{ clientId: string; secret: string | undefined }>;

type Code = Parameters<typeof refused>[0];
export type DiscoveryKeyError = Refusal<Code>;

const refused = refusing({
  KEY_ID_INVALID: 'A key is 1 to 128 visible ASCII characters, without ":".',
  KEY_NAME_INVALID: 'A name is 1 to 200 characters.',
  KEY_RATE_INVALID: 'A rate is a whole number of requests a second, from 1 to 1000000.',
  KEY_PAGE_INVALID: `A page is a whole number of documents, from 1 to ${MAX_PER_PAGE}.`,
  KEY_EXISTS: 'This key exists already.',
  KEY_UNKNOWN: 'There is no such key.',
  KEY_REVOKED: 'This key is revoked.',
  KEY_WITHOUT_SECRET: 'This key has no secret.',
});

/** A revoked id cannot be used again. */
@Injectable()
export class DiscoveryKeys extends CredentialStore<LiveRow, Code> {
  constructor(
    pool: Pool,
    clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super(pool, clock, { table: 'discovery_keys', id: 'client_id', unknown: refused('KEY_UNKNOWN') });
  }

  /** `needsSecret`: whether a key that has a secret is refused without it. A wrong secret is always refused. */
  async admit({ clientId, secret }: KeyCredentials, { needsSecret = true } = {}): Promise<LiveKey | undefined> {
    const key = await this.find(clientId);
    if (!key) return undefined;
    const isPublic = secret === undefined && !needsSecret;
    return isPublic || this.#acceptsSecret(key, secret) ? key : undefined;
  }

  /** Fails if the id exists, even revoked. */
  async create({
    clientId = `key_${this.randomness.bytes(16).toString('hex')}`,
    name,
    ratePerSecond,
    maxPerPage = USUAL_MAX_PER_PAGE,
    withSecret = false,
  }: NewKey): Promise<IssuedKey | DiscoveryKeyError> {
    if (!isClientId(clientId)) return refused('KEY_ID_INVALID');
    if (!isCredentialName(name)) return refused('KEY_NAME_INVALID');
    if (ratePerSecond !== undefined && !isRate(ratePerSecond)) return refused('KEY_RATE_INVALID');
    if (!isPage(maxPerPage)) return refused('KEY_PAGE_INVALID');
    const secret = withSecret ? newToken(this.randomness) : undefined;
    const values = [clientId, name, secret && tokenDigest(secret), ratePerSecond, this.clock.iso(), maxPerPage];
    const refusal = await this.changed(await this.pool.query(CREATE, values), () => refused('KEY_EXISTS'));
    return refusal ?? { clientId, secret };
  }

  /** Changes what a key may do, unless it is revoked. */
  async change(clientId: string, { ratePerSecond, maxPerPage }: KeyChange): Promise<DiscoveryKeyError | undefined> {
    if (typeof ratePerSecond === 'number' && !isRate(ratePerSecond)) return refused('KEY_RATE_INVALID');
    if (maxPerPage !== undefined && !isPage(maxPerPage)) return refused('KEY_PAGE_INVALID');
    const values = [clientId, ratePerSecond !== undefined, ratePerSecond, maxPerPage];
    return await this.changed(await this.pool.query(CHANGE, values), () => this.#whyNotChanged(clientId));
  }

  /** Gives a key that has a secret a new one. The earlier one is accepted for `overlapMs` more; one that is older still ends now. */
  async rotate(clientId: string, overlapMs: number): Promise<IssuedKey | DiscoveryKeyError> {
    const secret = newToken(this.randomness);
    const until = new Date(this.clock.now() + overlapMs);
    const done = await this.pool.query(ROTATE, [clientId, tokenDigest(secret), until]);
    return (await this.changed(done, () => this.#whyNotChanged(clientId))) ?? { clientId, secret };
  }

  /** Includes revoked ones, without their secrets. Oldest first. */
  async list(): Promise<DiscoveryKey[]> {
    return await this.shown(LIST, [this.clock.iso()]);
  }

  async #whyNotChanged(clientId: string): Promise<DiscoveryKeyError> {
    const { rows } = await this.pool.query<{ revoked: boolean }>(REVOKED, [clientId]);
    const [key] = rows;
    if (!key) return refused('KEY_UNKNOWN');
    return refused(key.revoked ? 'KEY_REVOKED' : 'KEY_WITHOUT_SECRET');
  }

  /** A key without a secret accepts any, because some clients send one anyway. */
  #acceptsSecret({ secretDigest, previousDigest, previousUntil }: LiveRow, secret: string | undefined): boolean {
    if (secretDigest === null) return true;
    if (secret === undefined) return false;
    if (hasDigest(secret, secretDigest)) return true;
    const isPreviousGood = previousUntil !== null && previousUntil.getTime() > this.clock.now();
    return previousDigest !== null && isPreviousGood && hasDigest(secret, previousDigest);
  }

  protected override async readLive(): Promise<ReadonlyMap<string, LiveRow>> {
    const { rows } = await this.pool.query<LiveRow>({ name: 'live-discovery-keys', text: READ_LIVE });
    return new Map(rows.map((row) => [row.clientId, row]));
  }
}

type LiveRow = LiveKey &
  Readonly<{ secretDigest: Buffer | null; previousDigest: Buffer | null; previousUntil: Date | null }>;

const MAX_PER_SECOND = 1_000_000;

const CREATE = `
  insert into discovery_keys (client_id, name, secret_digest, rate_per_second, created_at, max_per_page)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (client_id) do nothing`;

const ROTATE = `
  update discovery_keys set previous_digest = secret_digest, previous_until = $3, secret_digest = $2
  where client_id = $1 and revoked_at is null and secret_digest is not null`;

const CHANGE = `
  update discovery_keys set rate_per_second = case when $2 then $3 else rate_per_second end,
    max_per_page = coalesce($4, max_per_page)
  where client_id = $1 and revoked_at is null`;

const REVOKED = 'select revoked_at is not null as revoked from discovery_keys where client_id = $1';

const READ_LIVE = `
  select client_id as "clientId", rate_per_second as "ratePerSecond", max_per_page as "maxPerPage", secret_digest as "secretDigest",
    previous_digest as "previousDigest", previous_until as "previousUntil"
  from discovery_keys where revoked_at is null`;

const LIST = `
  select client_id, name, secret_digest is not null as has_secret, rate_per_second, max_per_page, created_at, revoked_at,
    case when previous_until > $1 and revoked_at is null then previous_until end as previous_secret_until,
    (select coalesce(json_agg(json_build_object('day', day, 'requests', requests, 'throttled', throttled) order by day desc), '[]')
      from discovery_key_usage as used
      where used.client_id = key.client_id and day > ($1::timestamptz at time zone 'UTC')::date - 30) as usage
  from discovery_keys as key order by created_at, client_id`;

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1 && rate <= MAX_PER_SECOND;
}

function isPage(documents: number): boolean {
  return Number.isInteger(documents) && documents >= 1 && documents <= MAX_PER_PAGE;
}
