import { CODE_OF_DENIAL } from './broker-answer.js';
import type { FraudVerdict, MatchingPolicy, OrderEvent, ReceivedPurchase, StatusEvent } from './order-events.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { statusEvent } from './status-change.js';

/** The first status of an order. */
export function openingStatus(purchase: ReceivedPurchase, catalogue: StatusCatalogue): CatalogueEntry {
  if (purchase.hold_for_review && !purchase.trusted) return catalogue.role('manual_review');
  return catalogue.role(purchase.confirmation === 'manual' ? 'pending_confirmation' : 'confirmed');
}

/** The first status, and the answer of a policy if the order would wait for its broker. A policy never ends a review, and never accepts speculative tickets. */
export function openingEvents(
  purchase: ReceivedPurchase,
  catalogue: StatusCatalogue,
): readonly [StatusEvent, ...StatusEvent[]] {
  const entry = openingStatus(purchase, catalogue);
  const opened = statusEvent(entry);
  const waits = entry === catalogue.role('pending_confirmation');
  // Nobody but the seller knows whether there will be tickets.
  const isUnknown = purchase.product.speculative === true && purchase.policy?.action === 'accept';
  if (!waits || !purchase.policy || isUnknown) return [opened];
  return [opened, ...policyAnswer(purchase.policy, entry, catalogue)];
}

/** None if the status catalogue has no such status, or allows no such change. Then the order waits for its broker. */
function policyAnswer(
  policy: MatchingPolicy,
  { status: { status: from } }: CatalogueEntry,
  catalogue: StatusCatalogue,
): readonly StatusEvent[] {
  const { id, name } = policy;
  const entry =
    policy.action === 'accept' ? catalogue.role('confirmed') : catalogue.entry(CODE_OF_DENIAL[policy.reason]);
  if (!entry || !catalogue.allows(from, entry.status.status)) return [];
  const { type, data } = statusEvent(entry, `Policy: ${name}`);
  const answer = { ...data, policy: { id, name } };
  if (type !== 'OrderRejected' || policy.action === 'accept') return [{ type, data: answer }];
  return [{ type, data: { ...answer, reason: policy.reason } }];
}

/** Fraud that no person has looked at. */
const REJECTED_AS_FRAUD = 3001;

/**
 * How a purchase ends that a fraud rule rejects: its payment is never asked for. None if no rule does, or if the status catalogue has no
 * such status. Then it is held.
 */
export function fraudRejection(
  purchase: ReceivedPurchase,
  screening: FraudVerdict | undefined,
  catalogue: StatusCatalogue,
): readonly Extract<OrderEvent, StatusEvent | { type: 'PaymentFailed' }>[] | undefined {
  const entry = catalogue.entry(REJECTED_AS_FRAUD);
  if (purchase.trusted || screening?.verdict !== 'rejected' || entry?.status.status !== 'rejected') return undefined;
  const data = { provider: 'none', reason: 'A fraud rule rejects the purchase, so no payment was asked for.' };
  return [...(purchase.payment ? [{ type: 'PaymentFailed', data } as const] : []), statusEvent(entry)];
}
