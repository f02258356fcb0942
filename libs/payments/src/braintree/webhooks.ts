import { createHash } from 'node:crypto';
import type { BraintreeGateway, WebhookNotification } from 'braintree';
import type { Clock } from '#base/clock';
import { type ProviderEvent, type ProviderFact, type ReceivedWebhook, WebhookRefused } from '../provider-events.js';
import { disputeFact } from './disputes.js';
import { GLOBAL_ID, REFUND_BY_ID } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import { centsOf, type Refund } from './payments.js';
import { refundFact } from './refund-fact.js';

// Braintree repeats a webhook for a day, with its first stamp. The rest is for clocks that differ.
const OLDEST_MS = (24 * 60 + 5) * 60 * 1_000;

type Named = Readonly<{ id: string; globalId?: string }>;

/** What a notification has in truth, of which the package's types know a part. */
type Notification = Readonly<{
  timestamp: string;
  kind: string;
  dispute?: Named &
    Readonly<{
      kind: string;
      status: string;
      reason: string;
      amountDisputed: string;
      currencyIsoCode: string;
      replyByDate?: string | null;
      transaction: Named & Readonly<{ orderId?: string | null }>;
    }>;
  transaction?: Named & Readonly<{ type?: string; orderId?: string | null }>;
}>;

/** Reads Braintree's webhooks. The package checks the signature, which is over the payload as it was posted. */
export class Webhooks {
  constructor(
    private readonly gateway: Pick<BraintreeGateway, 'webhookNotification'>,
    private readonly connection: GraphqlConnection,
    private readonly clock: Clock,
  ) {}

  /** @throws WebhookRefused */
  async read({ body }: ReceivedWebhook): Promise<ProviderEvent> {
    const form = new URLSearchParams(body.toString());
    const payload = form.get('bt_payload') ?? '';
    const notification = await this.#verified(form.get('bt_signature') ?? '', payload);
    const stamp = Date.parse(notification.timestamp);
    if (!(stamp >= this.clock.now() - OLDEST_MS)) throw new WebhookRefused('the stamp is too old');
    return {
      // It has no id. A repetition has the same payload.
      id: createHash('sha256').update(payload).digest('hex'),
      type: notification.kind,
      createdAt: new Date(stamp).toISOString(),
      fact: await this.#factOf(notification),
    };
  }

  async #verified(signature: string, payload: string): Promise<Notification> {
    // A notification may repeat parts of a card, so no error of the package goes on.
    const read = this.gateway.webhookNotification.parse(signature, payload);
    const parsed: WebhookNotification | undefined = await read.catch(() => undefined);
    if (!parsed) throw new WebhookRefused('the signature is missing or wrong');
    return parsed as object as Notification;
  }

  async #factOf({ kind, dispute, transaction }: Notification): Promise<ProviderFact> {
    if (dispute) {
      const { transaction: disputed } = dispute;
      return disputeFact({
        reference: await this.#globalId(dispute, 'DISPUTE'),
        payment: await this.#globalId(disputed, 'TRANSACTION'),
        orderId: disputed.orderId ?? null,
        type: dispute.kind,
        status: dispute.status,
        reason: dispute.reason,
        amountCents: centsOf({ value: dispute.amountDisputed, currencyCode: dispute.currencyIsoCode }),
        currency: dispute.currencyIsoCode,
        replyBy: dispute.replyByDate ?? null,
      });
    }
    if (!transaction) return { is: 'nothing' };
    if (kind === 'refund_failed' || transaction.type === 'credit') return await this.#refund(transaction);
    const payment = await this.#globalId(transaction, 'TRANSACTION');
    return { is: 'payment', payment, orderId: transaction.orderId ?? null };
  }

  /** A webhook does not say of which payment a refund is. */
  async #refund({ id }: Named): Promise<ProviderFact> {
    const reference = await this.#globalId({ id }, 'REFUND');
    const { node } = await this.connection.ask<{ node: Refund | null }>(REFUND_BY_ID, { id: reference });
    return (node && refundFact(node)) ?? { is: 'nothing' };
  }

  async #globalId({ id, globalId }: Named, type: 'DISPUTE' | 'REFUND' | 'TRANSACTION'): Promise<string> {
    if (globalId) return globalId;
    const found = await this.connection.ask<{ idFromLegacyId: string }>(GLOBAL_ID, { legacyId: id, type });
    return found.idFromLegacyId;
  }
}
