import { Inject, Injectable } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import type { WebhookOptions } from './webhook.contract.js';
import { UnsealError, Sealer } from '#base/sealing';
import type { CircuitBreaker } from '#delivery-kit/circuit-breaker';
import { Logger } from '#platform/logger';

/** Times are in milliseconds since the epoch. */
export type Endpoint = Readonly<{
  id: string;
  url: string;
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

/** The secrets are sealed and in hex. */
export type EndpointRow = {
  id: string;
  url: string;
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

@Injectable()
export class Signers {
  private readonly opened = new Map<string, Signer>();
  private readonly unreadable = new Set<string>();

  /** @param log gets one entry per secret that does not open */
  constructor(
    private readonly sealer: Sealer,
    @Inject(Logger) private readonly log: Pick<Logger, 'error'>,
  ) {}

  endpoint(row: EndpointRow): Endpoint {
    const { id, url, state, version, recovering, secrets, ...rest } = row;
    const { breaker, failures, openings, open_until, paced_until, ...options } = rest;
    return {
      id,
      url,
      state,
      version,
      options,
      pacedUntil: paced_until?.getTime() ?? 0,
      breaker: { state: breaker, failures, openings, openUntil: open_until?.getTime() ?? null },
      recovering,
      signers: secrets.flatMap((secret) => this.signer(id, secret.id, secret.sealed) ?? []),
    };
  }

  /** Leaves out a secret that does not open, so the others can still sign. */
  private signer(webhookId: string, secretId: string, sealed: string): Signer | undefined {
    const known = this.opened.get(secretId);
    if (known) return known;
    try {
      const secret = this.sealer.open('webhook-secret', secretContext(webhookId, secretId), Buffer.from(sealed, 'hex'));
      const signer = new Signer(secret.toString());
      this.opened.set(secretId, signer);
      return signer;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!this.unreadable.has(secretId)) this.log.error({ part: 'webhooks', secret_id: secretId }, error.message);
      this.unreadable.add(secretId);
      return undefined;
    }
  }
}
