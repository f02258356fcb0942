import type { Pool } from 'pg';
import type { NewWebhook, SecretRotation, Webhook, WebhookChange, WebhookWithSecret } from './webhook.contract.js';
import type { Clock } from '#base/clock';
import type { Ids } from '#base/ids';
import type { Randomness } from '#base/randomness';
import { afterWrite } from '#database/database-errors';
import type { Sealer } from '#base/sealing';
import type { AddressGuard } from '#delivery-kit/address-guard';
import { type CheckedDestination, checkedDestination } from './destinations/checked-destination.js';
import { kindOf } from './destinations/destination-address.js';
import { credentialsContext, secretContext } from './endpoint.js';
import { generateSecret, checkSecret } from './webhook-secret.js';
import { CHANGE, CREATE, LIST, PAUSE, REMOVE, RESUME, ROTATE } from './webhooks/webhooks-statements.js';

export type FieldIssues = Readonly<{ issues: readonly FieldIssue[] }>;
type FieldIssue = Readonly<{ field: 'url' | 'secret'; message: string }>;

/** The methods return undefined if there is no such webhook. */
export class Webhooks {
  constructor(
    private readonly pool: Pool,
    private readonly guard: AddressGuard,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly generators: Readonly<{ ids: Ids; randomness: Randomness }>,
  ) {}

  /** Without `from_position` it begins at the current end of the ping stream. */
  async create({ secret, from_position, ...given }: NewWebhook): Promise<WebhookWithSecret | FieldIssues> {
    const to = await checkedDestination(given.url, this.guard);
    const invalid = fieldIssues(urlIssue(to), secretIssue(secret));
    if (invalid) return invalid;
    const id = this.generators.ids.next('whk');
    const issued = this.issue(id, secret);
    const written = { ...given, ...this.sealed(id, to) };
    const values = [id, JSON.stringify(written), from_position ?? null, this.clock.iso(), issued.id, issued.sealed];
    await this.pool.query(CREATE, values);
    return { ...(await afterWrite(() => this.known(id))), secret: issued.secret };
  }

  async list(): Promise<readonly Webhook[]> {
    return await this.read(null);
  }

  async find(id: string): Promise<Webhook | undefined> {
    return (await this.read(id))[0];
  }

  /** A new address is a fresh start: all pending deliveries become due. */
  async change(id: string, { state, ...changes }: WebhookChange): Promise<Webhook | FieldIssues | undefined> {
    const before = await this.find(id);
    const { url = before?.url } = changes;
    if (!before || url === undefined) return undefined;
    // An unchanged address keeps its credentials, which nobody sees and so nobody repeats.
    const to = url === before.url ? undefined : await checkedDestination(url, this.guard);
    const invalid = to && fieldIssues(urlIssue(to));
    if (invalid) return invalid;
    const written = { ...changes, ...(to && this.sealed(id, to)) };
    await this.pool.query(CHANGE, [id, this.clock.iso(), JSON.stringify(written)]);
    if (state === 'paused') return await afterWrite(() => this.pause(id));
    const resumes = state === 'active' || (url !== before.url && before.state === 'active');
    return await afterWrite(() => (resumes ? this.resume(id) : this.find(id)));
  }

  /** Deliveries to a paused webhook stay pending. */
  async pause(id: string): Promise<Webhook | undefined> {
    await this.pool.query(PAUSE, [id, this.clock.iso()]);
    return await afterWrite(() => this.find(id));
  }

  /** Sends the oldest pending delivery first. Also enables a disabled webhook and closes its circuit breaker. */
  async resume(id: string): Promise<Webhook | undefined> {
    await this.pool.query(RESUME, [id, this.clock.iso()]);
    return await afterWrite(() => this.find(id));
  }

  /** The sweep deletes the deliveries later. */
  async remove(id: string): Promise<boolean> {
    return ((await this.pool.query(REMOVE, [id])).rowCount ?? 0) > 0;
  }

  /** The old secrets stay valid during the overlap. */
  async rotate(
    id: string,
    { secret, overlap_seconds }: SecretRotation,
  ): Promise<WebhookWithSecret | FieldIssues | undefined> {
    const invalid = fieldIssues(secretIssue(secret));
    if (invalid) return invalid;
    const issued = this.issue(id, secret);
    const until = new Date(this.clock.now() + overlap_seconds * 1_000);
    const { rowCount } = await this.pool.query(ROTATE, [id, this.clock.iso(), until, issued.id, issued.sealed]);
    return rowCount === 0 ? undefined : { ...(await afterWrite(() => this.known(id))), secret: issued.secret };
  }

  private issue(webhookId: string, secret = generateSecret(this.generators.randomness)) {
    const id = this.generators.ids.next('sec');
    return {
      id,
      secret,
      sealed: this.sealer.seal('webhook-secret', secretContext(webhookId, id), Buffer.from(secret)),
    };
  }

  /** The columns of a destination. */
  private sealed(webhookId: string, to: CheckedDestination) {
    if (to.issue !== undefined) throw new Error(`not an address: ${to.issue}`);
    const { url, credentials } = to;
    if (credentials === undefined) return { url, credentials: null };
    const sealed = this.sealer.seal('webhook-credentials', credentialsContext(webhookId), Buffer.from(credentials));
    return { url, credentials: `\\x${sealed.toString('hex')}` };
  }

  private async known(id: string): Promise<Webhook> {
    const webhook = await this.find(id);
    if (!webhook) throw new Error('The webhook was removed while it was created.');
    return webhook;
  }

  private async read(id: string | null): Promise<readonly Webhook[]> {
    const { rows } = await this.pool.query<WebhookRow>(LIST, [id, this.clock.iso()]);
    return rows.map(listed);
  }
}

function fieldIssues(...found: readonly (FieldIssue | undefined)[]): FieldIssues | undefined {
  const issues = found.filter((issue) => issue !== undefined);
  return issues.length === 0 ? undefined : { issues };
}

function urlIssue({ issue: message }: CheckedDestination): FieldIssue | undefined {
  return message === undefined ? undefined : { field: 'url', message };
}

function secretIssue(secret: string | undefined): FieldIssue | undefined {
  const message = secret === undefined ? undefined : checkSecret(secret);
  return message === undefined ? undefined : { field: 'secret', message };
}

type WebhookRow = Omit<Webhook, 'kind' | 'breaker' | 'secrets' | 'oldest_pending_at' | 'created_at' | 'updated_at'> & {
  breaker: Webhook['breaker']['state'];
  failures: number;
  open_until: Date | null;
  oldest_pending_at: Date | null;
  secrets: readonly { id: string; created_at: string; expires_at: string | null }[];
  created_at: Date;
  updated_at: Date;
};

function listed({ breaker, failures, open_until, ...row }: WebhookRow): Webhook {
  return {
    ...row,
    kind: kindOf(row.url),
    breaker: { state: breaker, failures, open_until: open_until?.toISOString() ?? null },
    oldest_pending_at: row.oldest_pending_at?.toISOString() ?? null,
    secrets: row.secrets.map(({ id, created_at, expires_at }) => ({
      id,
      created_at: new Date(created_at).toISOString(),
      expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
    })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
