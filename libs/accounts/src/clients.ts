import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { inTransaction } from '#database/transaction';
import { CredentialStore, type Refusal, refusing } from './credential-store.js';
import type { PlatformClient as ListedClient } from './platform-client.contract.js';
import { MAX_LIVE_SECRETS, PlatformClient, type Variant } from './platform-client.js';
import { UnsealError, Sealer } from '#base/sealing';
import { isCredentialName, newToken } from '#base/token';
import { clientSecretContext } from '#platform/encryption-key';
import { isClientId } from '#base/signature';

/** A missing id or secret is generated. */
export type NewClient = Readonly<{
  clientId?: string | undefined;
  name: string;
  variant: Variant;
  secret?: string | undefined;
  /** Refuse its purchases without a `ref_id`; default: false. */
  requireRefId?: boolean | undefined;
}>;

/** The secret is shown only here. */
export type IssuedSecret = Readonly<{ clientId: string; secretId: string; secret: string }>;

type Code = Parameters<typeof refused>[0];
export type ClientRegistryError = Refusal<Code>;

const refused = refusing({
  CLIENT_ID_INVALID: 'A client id is 1 to 128 visible ASCII characters, without ":".',
  CLIENT_NAME_INVALID: 'A name is 1 to 200 characters.',
  SECRET_INVALID: 'A secret is 1 to 1024 visible ASCII characters.',
  CLIENT_EXISTS: 'A client with this id exists already.',
  CLIENT_UNKNOWN: 'There is no client with this id.',
  CLIENT_REVOKED: 'This client is revoked.',
  TWO_SECRETS_LIVE: 'This client has two live secrets: revoke one of them first.',
  SECRET_UNKNOWN: 'This client has no secret with this id.',
});

/** Their secrets are sealed, not digested: to check a signature one needs the secret itself. So a second table has them. */
@Injectable()
export class ClientRegistry extends CredentialStore<PlatformClient, Code> {
  readonly #unreadable = new Set<string>();
  readonly #log = new Logger('ClientRegistry');

  constructor(
    pool: Pool,
    private readonly sealer: Sealer,
    clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {
    super(pool, clock, { table: 'clients', id: 'client_id', unknown: refused('CLIENT_UNKNOWN') });
  }

  /** Fails if the id exists, even revoked. If several processes try at once, one succeeds. */
  async create({
    clientId = this.ids.next('cli'),
    name,
    variant,
    secret,
    requireRefId = false,
  }: NewClient): Promise<IssuedSecret | ClientRegistryError> {
    if (!isClientId(clientId)) return refused('CLIENT_ID_INVALID');
    if (!isCredentialName(name)) return refused('CLIENT_NAME_INVALID');
    const issued = this.#issue(clientId, secret);
    if (!issued) return refused('SECRET_INVALID');
    const values = [clientId, name, variant, this.clock.iso(), issued.secretId, this.#sealed(issued), requireRefId];
    return (await this.changed(await this.pool.query(CREATE, values), () => refused('CLIENT_EXISTS'))) ?? issued;
  }

  /**
   * Reactivates a revoked client with a new secret. It keeps its orders and, where they are not given, its variant and whether it must
   * send a `ref_id`. The old secrets stay revoked.
   */
  async restore({
    clientId,
    name,
    variant,
    secret,
    requireRefId,
  }: Omit<NewClient, 'clientId' | 'variant'> & { clientId: string; variant?: Variant | undefined }): Promise<
    IssuedSecret | ClientRegistryError
  > {
    if (!isCredentialName(name)) return refused('CLIENT_NAME_INVALID');
    const issued = this.#issue(clientId, secret);
    if (!issued) return refused('SECRET_INVALID');
    const refusal = await inTransaction(this.pool, async (session) => {
      const { rows } = await session.query<{ revoked: boolean }>(LOCK, [clientId]);
      if (!rows[0]?.revoked) return refused(rows[0] ? 'CLIENT_EXISTS' : 'CLIENT_UNKNOWN');
      await session.query(REVOKE_SECRETS, [clientId]);
      await session.query(RESTORE, [clientId, name, variant, requireRefId]);
      await session.query(INSERT_SECRET, [issued.secretId, clientId, this.#sealed(issued), this.clock.iso()]);
      return undefined;
    });
    if (refusal) return refusal;
    await this.refreshAfterChange();
    return issued;
  }

  /** Changes what is given. Also for revoked clients. */
  async change(
    clientId: string,
    { name, requireRefId }: Readonly<{ name?: string | undefined; requireRefId?: boolean | undefined }>,
  ): Promise<ClientRegistryError | undefined> {
    if (name !== undefined && !isCredentialName(name)) return refused('CLIENT_NAME_INVALID');
    const done = await this.pool.query(CHANGE, [clientId, name, requireRefId]);
    return await this.changed(done, () => refused('CLIENT_UNKNOWN'));
  }

  async rotate(clientId: string, secret?: string): Promise<IssuedSecret | ClientRegistryError> {
    const issued = this.#issue(clientId, secret);
    if (!issued) return refused('SECRET_INVALID');
    const refusal = await this.#insertSecret(issued);
    if (refusal) return refusal;
    await this.refreshAfterChange();
    return issued;
  }

  async revokeSecret(clientId: string, secretId: string): Promise<ClientRegistryError | undefined> {
    const done = await this.pool.query(REVOKE_SECRET, [clientId, secretId, this.clock.iso()]);
    return await this.changed(done, () => refused('SECRET_UNKNOWN'));
  }

  /** Includes revoked ones, without their secrets. Oldest first. */
  async list(): Promise<ListedClient[]> {
    const clients = await this.shown<Omit<ListedClient, 'secrets'>>(LIST_CLIENTS);
    const secrets = await this.shown<ListedClient['secrets'][number] & { client_id: string }>(LIST_SECRETS);
    return clients.map((client) => {
      const own = secrets.filter(({ client_id }) => client_id === client.client_id);
      return { ...client, secrets: own.map(({ id, created_at, revoked_at }) => ({ id, created_at, revoked_at })) };
    });
  }

  #issue(clientId: string, secret = newToken(this.randomness)): IssuedSecret | undefined {
    return SECRET.test(secret) ? { clientId, secretId: this.ids.next('sec'), secret } : undefined;
  }

  #sealed({ clientId, secretId, secret }: IssuedSecret): Buffer {
    return this.sealer.seal('client-secret', clientSecretContext(clientId, secretId), Buffer.from(secret));
  }

  async #insertSecret(issued: IssuedSecret): Promise<ClientRegistryError | undefined> {
    const { clientId, secretId } = issued;
    return await inTransaction(this.pool, async (session) => {
      // A concurrent rotation of the same client waits for this row lock and then counts our secret too.
      const client = await session.query<{ revoked: boolean }>(LOCK, [clientId]);
      const { rows } = await session.query<{ live: number }>(COUNT_LIVE, [clientId]);
      const refusal = checkRotation(client.rows[0], rows[0]?.live ?? 0);
      if (!refusal) await session.query(INSERT_SECRET, [secretId, clientId, this.#sealed(issued), this.clock.iso()]);
      return refusal;
    });
  }

  protected override async readLive(): Promise<ReadonlyMap<string, PlatformClient>> {
    const { rows } = await this.pool.query<LiveRow>({ name: 'live-clients', text: READ_LIVE });
    const found = new Map<string, { variant: Variant; requireRefId: boolean; secrets: Buffer[] }>();
    for (const { clientId, variant, requireRefId, secretId, sealed } of rows) {
      const client = found.get(clientId) ?? { variant, requireRefId, secrets: [] };
      found.set(clientId, client);
      const secret = secretId && sealed && this.#opened(clientId, secretId, sealed);
      if (secret) client.secrets.push(secret);
    }
    return new Map(
      Array.from(found, ([id, { variant, secrets, requireRefId }]) => {
        return [id, new PlatformClient(id, variant, secrets, requireRefId)] as const;
      }),
    );
  }

  /** A secret that does not open must not lock out the other clients. It is logged once. */
  #opened(clientId: string, secretId: string, sealed: Buffer): Buffer | undefined {
    try {
      return this.sealer.open('client-secret', clientSecretContext(clientId, secretId), sealed);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!this.#unreadable.has(secretId)) this.#log.error(`${secretId} of client ${clientId}: ${error.message}`);
      this.#unreadable.add(secretId);
      return undefined;
    }
  }
}

const SECRET = /^[!-~]{1,1024}$/;

type LiveRow = {
  clientId: string;
  variant: Variant;
  requireRefId: boolean;
  secretId: string | null;
  sealed: Buffer | null;
};

const CREATE = `
  with client as (
    insert into clients (client_id, name, variant, created_at, require_ref_id) values ($1, $2, $3, $4, $7)
    on conflict (client_id) do nothing
    returning client_id
  )
  insert into client_secrets (id, client_id, secret, created_at) select $5, client_id, $6, $4 from client`;

const LOCK = 'select revoked_at is not null as revoked from clients where client_id = $1 for update';
const COUNT_LIVE = 'select count(*)::int as live from client_secrets where client_id = $1 and revoked_at is null';
const INSERT_SECRET = 'insert into client_secrets (id, client_id, secret, created_at) values ($1, $2, $3, $4)';

const REVOKE_SECRET =
  'update client_secrets set revoked_at = coalesce(revoked_at, $3) where client_id = $1 and id = $2';

// Run this before RESTORE, which clears the date that it copies.
const REVOKE_SECRETS = `
  update client_secrets set revoked_at = clients.revoked_at from clients
  where client_secrets.client_id = $1 and clients.client_id = $1 and client_secrets.revoked_at is null`;
const RESTORE = `
  update clients set revoked_at = null, name = $2, variant = coalesce($3, variant), require_ref_id = coalesce($4, require_ref_id)
  where client_id = $1`;
const CHANGE = `
  update clients set name = coalesce($2, name), require_ref_id = coalesce($3, require_ref_id) where client_id = $1`;

const LIST_CLIENTS = `
  select client_id, name, variant, require_ref_id, created_at, revoked_at from clients order by created_at, client_id`;
const LIST_SECRETS =
  'select client_id, id, created_at, revoked_at from client_secrets order by created_at desc, id desc';

const READ_LIVE = `
  select clients.client_id as "clientId", variant, require_ref_id as "requireRefId", id as "secretId", secret as sealed
  from clients left join client_secrets
    on client_secrets.client_id = clients.client_id and client_secrets.revoked_at is null
  where clients.revoked_at is null
  order by client_secrets.created_at desc, id desc`;

function checkRotation(client: { revoked: boolean } | undefined, live: number): ClientRegistryError | undefined {
  if (!client) return refused('CLIENT_UNKNOWN');
  if (client.revoked) return refused('CLIENT_REVOKED');
  return live >= MAX_LIVE_SECRETS ? refused('TWO_SECRETS_LIVE') : undefined;
}
