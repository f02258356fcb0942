import { CODE_OF_DENIAL } from './broker-answer.js';
import type { MatchingPolicy, ReceivedPurchase, StatusEvent } from './order-events.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { statusEvent } from './status-change.js';

/** The first status of an order. */
export function openingStatus(purchase: ReceivedPurchase, catalogue: StatusCatalogue): CatalogueEntry {
  if (purchase.hold_for_review && !purchase.trusted) return catalogue.role('manual_review');
  return catalogue.role(purchase.confirmation === 'manual' ? 'pending_confirmation' : 'confirmed');
}

/** The first status, and the answer of a policy if the order would wait for its broker. A policy never ends a review. */
export function openingEvents(purchase: ReceivedPurchase, catalogue: StatusCatalogue): readonly StatusEvent[] {
  const entry = openingStatus(purchase, catalogue);
  const opened = statusEvent(entry);
  const waits = entry === catalogue.role('pending_confirmation');
  return waits && purchase.policy ? [opened, ...policyAnswer(purchase.policy, entry, catalogue)] : [opened];
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
