import { Inject, Injectable } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { CannotOpen, Sealer } from '#crypto/sealing';
import type { CircuitBreaker } from '#delivery/circuit-breaker';
import { Logger } from '#operations/logger';

/** A receiver as it stands when somebody begins to deliver to it. Times in milliseconds since the epoch. */
export type Endpoint = Readonly<{
  id: string;
  url: string;
  state: 'active' | 'paused' | 'disabled';
  /** Another one: what staff can change has changed. */
  version: number;
  ratePerSecond: number;
  pacedUntil: number;
  breaker: CircuitBreaker;
  /** Whether it is to be told when it has caught up. */
  recovering: boolean;
  /** One for each live secret, newest first. */
  signers: readonly Signer[];
}>;

/** What the statement `ENDPOINTS` gives; secrets sealed, as hex. */
export type EndpointRow = {
  id: string;
  url: string;
  state: Endpoint['state'];
  version: number;
  rate_per_second: number;
  breaker: CircuitBreaker['state'];
  failures: number;
  openings: number;
  open_until: Date | null;
  paced_until: Date | null;
  recovering: boolean;
  secrets: readonly { id: string; sealed: string }[];
};

/** What a sealed secret is bound to: it opens in its own row of its own webhook only. */
export function secretPlace(webhookId: string, secretId: string): string {
  return `webhooks/${webhookId}/secrets/${secretId}`;
}

/** Opens the secrets of endpoints, each once. */
@Injectable()
export class Signers {
  private readonly opened = new Map<string, Signer>();
  private readonly unreadable = new Set<string>();

  /** @param log is told once of a secret that does not open. */
  constructor(
    private readonly sealer: Sealer,
    @Inject(Logger) private readonly log: Pick<Logger, 'error'>,
  ) {}

  endpoint({ secrets, ...row }: EndpointRow): Endpoint {
    return {
      id: row.id,
      url: row.url,
      state: row.state,
      version: row.version,
      ratePerSecond: row.rate_per_second,
      pacedUntil: row.paced_until?.getTime() ?? 0,
      breaker: {
        state: row.breaker,
        failures: row.failures,
        openings: row.openings,
        openUntil: row.open_until?.getTime() ?? null,
      },
      recovering: row.recovering,
      signers: secrets.flatMap(({ id, sealed }) => this.signer(row.id, id, sealed) ?? []),
    };
  }

  /** A secret that does not open is left out: the others sign all the same. */
  private signer(webhookId: string, secretId: string, sealed: string): Signer | undefined {
    const known = this.opened.get(secretId);
    if (known) return known;
    try {
      const secret = this.sealer.open('webhook-secret', secretPlace(webhookId, secretId), Buffer.from(sealed, 'hex'));
      const signer = new Signer(secret.toString());
      this.opened.set(secretId, signer);
      return signer;
    } catch (fault) {
      if (!(fault instanceof CannotOpen)) throw fault;
      if (!this.unreadable.has(secretId)) this.log.error({ part: 'webhooks', secret_id: secretId }, fault.message);
      this.unreadable.add(secretId);
      return undefined;
    }
  }
}
