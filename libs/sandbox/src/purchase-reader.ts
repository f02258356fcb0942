import { Inject, Injectable } from '@nestjs/common';
import { type Answer, isFailure, statusLine } from '#client/checkout-calls';
import { Settings } from '#base/settings';
import { describeIssues } from '#web/issues.contract';
import { ReadPurchase } from './received-ping.contract.js';
import { ClientRegistry } from '#accounts/clients';
import { Clock } from '#base/clock';
import { codesIn, platformCalls, type PlatformSettings } from './platform-calls.js';
import type { UnreadPing } from './received-pings.js';

/** `again` when a retry may help. `error` quotes nothing that the service sent. */
export type Read =
  Readonly<{ purchase: ReadPurchase }> | Readonly<{ error: string; again: boolean; retryAfterMs?: number | undefined }>;

/** Reads purchases over HTTP, as the platform whose client signed the ping. */
@Injectable()
export class PurchaseReader {
  constructor(
    @Inject(Settings) private readonly settings: PlatformSettings,
    @Inject(ClientRegistry) private readonly clients: Pick<ClientRegistry, 'find'>,
    private readonly clock: Clock,
  ) {}

  /** Reads once. Throws only when our own client registry fails. */
  async read({ orderId, clientId, transactionId }: UnreadPing): Promise<Read> {
    const secret = (await this.clients.find(clientId))?.secrets[0];
    if (!secret) return { error: 'the client that was pinged has no live secret', again: false };
    const calls = platformCalls(this.settings, this.clock, { clientId, secret });
    const outcome = await calls.purchase(orderId, { transactionId: transactionId ?? undefined });
    if (!outcome.answered) return { error: outcome.error, again: true };
    if (outcome.status === 200) return purchaseIn(outcome, orderId);
    const { retryAfterMs } = outcome;
    return {
      error: `the answer was ${statusLine(outcome)}${codesIn(outcome)}`,
      again: isFailure(outcome),
      retryAfterMs,
    };
  }
}

function purchaseIn({ body }: Answer, orderId: string): Read {
  const { success, data, error } = ReadPurchase.safeParse(body);
  if (!success) return { error: `the answer is no Purchase: ${describeIssues(error.issues)}`, again: false };
  if (data.id !== orderId) return { error: 'the answer is another purchase', again: false };
  return { purchase: data };
}
