import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import type { FraudVerdict } from '#domain/order-events';
import { Clock } from '#base/clock';
import { NO_BUYER_DIGESTS } from '../buyer-digests.js';
import { OrderRules } from '../order-changes.js';
import type { CheckedPurchase } from '../purchase-check.js';
import { type PersonalData, type PurchaseDraft, PurchaseDrafts, ScreenedDrafts } from '../purchase-drafts.js';
import type { Submission } from '../purchase-keys.js';
import { buyerClues } from './buyer-clues.js';
import { neededBy, policyFor, verdictOf } from './compiled-rules.js';
import { FraudLookups } from './fraud-lookups.js';
import { purchaseFacts, type ScreenedPurchase, waitingFacts } from './purchase-facts.js';
import { ScreeningRules } from './screening-rules.js';

/** Applies fraud rules and policies to the drafts of purchases. Without any it only makes the draft. */
@Injectable()
export class PurchaseScreening extends ScreenedDrafts {
  constructor(
    private readonly drafts: PurchaseDrafts,
    private readonly screening: ScreeningRules,
    private readonly lookups: FraudLookups,
    private readonly rules: OrderRules,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {
    super();
  }

  async draft(checked: CheckedPurchase, submission: Submission): Promise<PurchaseDraft> {
    const { policies, fraudRules } = this.screening;
    const draft = this.drafts.draft(checked, submission);
    if (policies.length === 0 && fraudRules.length === 0) return draft;
    const purchase = this.screened(draft, submission);
    const screenedDraft = fraudRules.length === 0 ? draft : await this.withVerdict(draft, checked, purchase);
    return this.withPolicy(screenedDraft, purchase);
  }

  private screened({ orderId, received, attachments }: PurchaseDraft, submission: Submission): ScreenedPurchase {
    return {
      orderId,
      received,
      transactionId: submission.transaction.id,
      placedAt: this.clock.iso(),
      digests: attachments.personalDataKey?.digests ?? NO_BUYER_DIGESTS,
    };
  }

  /** What purchases are counted by is written for trusted users too. */
  private async withVerdict(
    draft: PurchaseDraft,
    checked: CheckedPurchase,
    purchase: ScreenedPurchase,
  ): Promise<PurchaseDraft> {
    const { received, attachments } = draft;
    const clues = buyerClues(personalDataOf(checked));
    const digests = this.lookups.digestsOf(clues, cardOf(checked));
    const { personalDataKey: key } = attachments;
    const counted = key && { ...key, address: digests.address[0], card: digests.card[0] };
    const written = { ...draft, attachments: counted ? { personalDataKey: counted } : {} };
    if (received.trusted) return written;
    const { fraudRules } = this.screening;
    const found = await this.lookups.find(clues, digests, neededBy(fraudRules), purchase.placedAt);
    const screening: FraudVerdict = verdictOf(fraudRules, purchaseFacts(purchase), found);
    // If the status catalogue has no status for a rejection, the purchase is held.
    const hold_for_review = received.hold_for_review || screening.verdict !== 'passed';
    return { ...written, received: { ...received, hold_for_review }, screening };
  }

  private withPolicy(draft: PurchaseDraft, purchase: ScreenedPurchase): PurchaseDraft {
    const { received } = draft;
    // Also for a purchase under review, which comes to wait for its broker when a person approves it.
    if (received.confirmation !== 'manual') return draft;
    const { status: pending } = this.rules.catalogue.role('pending_confirmation');
    const policy = policyFor(this.screening.policies, waitingFacts(purchase, pending));
    return policy ? { ...draft, received: { ...received, policy } } : draft;
  }
}

function personalDataOf({ purchase }: CheckedPurchase): PersonalData {
  const paid = purchase.variant === 'payment' ? purchase : undefined;
  return {
    user: purchase.user,
    delivery: paid?.delivery_method.data ?? {},
    billing: paid?.payment.billing ?? null,
  };
}

/** Only its keyed digest leaves this file. */
function cardOf({ purchase }: CheckedPurchase): string | undefined {
  if (purchase.variant === 'wholesale') return undefined;
  const { payment } = purchase;
  return payment.type === 'creditcard' ? payment.card.reveal().number : payment.token.reveal();
}
