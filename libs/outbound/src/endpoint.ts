import { Inject, Injectable } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import type { WebhookOptions } from './webhook.contract.js';
import { type Purpose, UnsealError, Sealer } from '#base/sealing';
import type { CircuitBreaker } from '#delivery-kit/circuit-breaker';
import { Logger } from '#platform/logger';

/** Times are in milliseconds since the epoch. */
export type Endpoint = Readonly<{
  id: string;
  /** Without user and password. */
  url: string;
  /** User and password of a destination that needs them, as in a URL. */
  credentials: string | undefined;
  state: 'active' | 'paused' | 'disabled';
  /** Changes whenever staff change the webhook. */
  version: number;
  options: WebhookOptions;
  pacedUntil: number;
  breaker: CircuitBreaker;
  /** A notice must follow once all pending deliveries were sent. */
  recovering: boolean;
  /** One for each live secret, newest first. */
  signers: readonly Signer[];
}>;

/** Credentials and secrets are sealed and in hex. */
export type EndpointRow = {
  id: string;
  url: string;
  credentials: string | null;
  state: Endpoint['state'];
  version: number;
  breaker: CircuitBreaker['state'];
  failures: number;
  openings: number;
  open_until: Date | null;
  paced_until: Date | null;
  recovering: boolean;
  secrets: readonly { id: string; sealed: string }[];
} & WebhookOptions;

/** A secret opens only in its own row of its own webhook. */
export function secretContext(webhookId: string, secretId: string): string {
  return `webhooks/${webhookId}/secrets/${secretId}`;
}

/** Credentials open only in their own webhook. */
export function credentialsContext(webhookId: string): string {
  return `webhooks/${webhookId}/credentials`;
}

@Injectable()
export class Signers {
  private readonly opened = new Map<string, Signer>();
  private readonly unreadable = new Set<string>();

  /** @param log gets one entry per secret or credentials that do not open */
  constructor(
    private readonly sealer: Sealer,
    @Inject(Logger) private readonly log: Pick<Logger, 'error'>,
  ) {}

  endpoint(row: EndpointRow): Endpoint {
    const { id, url, credentials: sealed, state, version, recovering, secrets, ...rest } = row;
    const { breaker, failures, openings, open_until, paced_until, ...options } = rest;
    const credentials = sealed === null ? undefined : this.credentials(id, sealed);
    // Without its credentials nothing can be sent.
    const live = sealed !== null && credentials === undefined ? [] : secrets;
    return {
      id,
      url,
      credentials,
      state,
      version,
      options,
      pacedUntil: paced_until?.getTime() ?? 0,
      breaker: { state: breaker, failures, openings, openUntil: open_until?.getTime() ?? null },
      recovering,
      signers: live.flatMap((secret) => this.signer(id, secret.id, secret.sealed) ?? []),
    };
  }

  /** Leaves out a secret that does not open, so the others can still sign. */
  private signer(webhookId: string, secretId: string, sealed: string): Signer | undefined {
    const known = this.opened.get(secretId);
    if (known) return known;
    const secret = this.open('webhook-secret', secretContext(webhookId, secretId), sealed, { secret_id: secretId });
    if (secret === undefined) return undefined;
    const signer = new Signer(secret);
    this.opened.set(secretId, signer);
    return signer;
  }

  private credentials(webhookId: string, sealed: string): string | undefined {
    return this.open('webhook-credentials', credentialsContext(webhookId), sealed, { webhook_id: webhookId });
  }

  private open(purpose: Purpose, context: string, sealed: string, logged: object): string | undefined {
    try {
      return this.sealer.open(purpose, context, Buffer.from(sealed, 'hex')).toString();
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!this.unreadable.has(context)) this.log.error({ part: 'webhooks', ...logged }, error.message);
      this.unreadable.add(context);
      return undefined;
    }
  }
}
