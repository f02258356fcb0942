import { createHash, createHmac } from 'node:crypto';
import type { SignedWebhook } from '../webhook-outbox.js';
import type { DisputeRecord, RefundRecord } from './records.js';

type Keys = Readonly<{ publicKey: string; privateKey: string }>;

/** `kind` is Braintree's word, `subject` what it is about as XML. */
export type WebhookEvent = Readonly<{ kind: string; timestamp: string; subject: string }>;

const KINDS: Readonly<Record<string, string>> = {
  OPEN: 'dispute_opened',
  DISPUTED: 'dispute_disputed',
  UNDER_REVIEW: 'dispute_under_review',
  WON: 'dispute_won',
  LOST: 'dispute_lost',
  ACCEPTED: 'dispute_accepted',
  EXPIRED: 'dispute_expired',
};

export function disputeEvent(dispute: DisputeRecord, timestamp: string): WebhookEvent {
  const { id, legacyId, type, status, replyByDate, transaction } = dispute;
  const amount = (transaction.cents / 100).toFixed(2);
  const subject = `<dispute>
    <id>${legacyId}</id><global-id>${id}</global-id>
    <amount-disputed>${amount}</amount-disputed><currency-iso-code>${transaction.currency}</currency-iso-code>
    <kind>${type.toLowerCase()}</kind><status>${status.toLowerCase()}</status>
    <reason>${type === 'RETRIEVAL' ? 'retrieval' : 'fraud'}</reason>
    <reply-by-date type="date">${replyByDate}</reply-by-date>
    <transaction>
      <id>${transaction.legacyId}</id><global-id>${transaction.id}</global-id>
      <order-id>${transaction.orderId}</order-id><amount>${amount}</amount>
    </transaction>
  </dispute>`;
  return { kind: KINDS[status] ?? `dispute_${status.toLowerCase()}`, timestamp, subject };
}

/** It names the refund by its older id alone, and shows a part of the card. */
export function refundFailedEvent({ legacyId, cents }: RefundRecord, timestamp: string): WebhookEvent {
  const subject = `<transaction>
    <id>${legacyId}</id><amount>${(cents / 100).toFixed(2)}</amount><status>failed</status>
    <credit-card><bin>411111</bin><last-4>1111</last-4></credit-card>
  </transaction>`;
  return { kind: 'refund_failed', timestamp, subject };
}

/** The signature is written out here, so that it checks the package's. */
export function signed({ kind, timestamp, subject }: WebhookEvent, { publicKey, privateKey }: Keys): SignedWebhook {
  const xml = `<notification>
    <timestamp type="datetime">${timestamp}</timestamp><kind>${kind}</kind><subject>${subject}</subject>
  </notification>`;
  const payload = `${Buffer.from(xml).toString('base64')}\n`;
  const key = createHash('sha1').update(privateKey).digest();
  const signature = `${publicKey}|${createHmac('sha1', key).update(payload).digest('hex')}`;
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString(),
  };
}
