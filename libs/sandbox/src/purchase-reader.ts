import { Inject, Injectable } from '@nestjs/common';
import { type Answer, CheckoutCalls, isFailure, statusLine } from '#client/checkout-calls';
import { resolveDependencies } from '#client/dependencies';
import { Settings } from '#base/settings';
import { ErrorBody } from '#web/error-body.contract';
import { describeIssues } from '#web/issues.contract';
import { ReadPurchase } from './received-ping.contract.js';
import { ClientRegistry } from '#accounts/clients';
import { Clock } from '#base/clock';
import type { UnreadPing } from './received-pings.js';

export type ReaderSettings = Pick<Settings, 'PUBLIC_URL' | 'CHECKOUT_SCHEME'>;

/** `again` when a retry may help. `error` quotes nothing that the service sent. */
export type Read =
  Readonly<{ purchase: ReadPurchase }> | Readonly<{ error: string; again: boolean; retryAfterMs?: number | undefined }>;

// The queue schedules the retries.
const ONE_TRY = { tries: 1, firstMs: 0, maxMs: 0 };

/** Reads purchases over HTTP, as the platform whose client signed the ping. */
@Injectable()
export class PurchaseReader {
  constructor(
    @Inject(Settings) private readonly settings: ReaderSettings,
    @Inject(ClientRegistry) private readonly clients: Pick<ClientRegistry, 'find'>,
    private readonly clock: Clock,
  ) {}

  /** Reads once. Throws only when our own client registry fails. */
  async read({ orderId, clientId, transactionId }: UnreadPing): Promise<Read> {
    const secret = (await this.clients.find(clientId))?.secrets[0];
    if (!secret) return { error: 'the client that was pinged has no live secret', again: false };
    const { PUBLIC_URL, CHECKOUT_SCHEME: scheme } = this.settings;
    const calls = new CheckoutCalls(
      { url: `${PUBLIC_URL}/checkout`, scheme },
      { clientId, secret },
      resolveDependencies({ now: () => this.clock.now() }),
      { retryPolicy: ONE_TRY },
    );
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

/** Returns only the codes of an Error body: its messages may quote the request. */
function codesIn({ body }: Answer): string {
  const { success, data } = ErrorBody.safeParse(body);
  return success ? ` (${data.errors.map(({ code }) => code).join(', ')})` : '';
}

function purchaseIn({ body }: Answer, orderId: string): Read {
  const { success, data, error } = ReadPurchase.safeParse(body);
  if (!success) return { error: `the answer is no Purchase: ${describeIssues(error.issues)}`, again: false };
  if (data.id !== orderId) return { error: 'the answer is another purchase', again: false };
  return { purchase: data };
}
