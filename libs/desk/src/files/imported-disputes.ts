import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import { isOpenDispute } from '#domain/payment-amounts';
import type { OpenedDispute } from '#domain/payment-events';
import { isProvided } from '#domain/payment-state';

/** Why what an imported event says of a dispute does not follow from the order before it, as `wrongMoney` does. */
export function wrongDispute(order: KnownOrder, event: OrderEvent): string | undefined {
  switch (event.type) {
    case 'DisputeOpened':
      return wrongOpening(order, event.data);
    case 'DisputeEvidenceSent':
    case 'DisputeClosed': {
      const dispute = disputeOf(order, event.data.dispute_id);
      if (!dispute) return 'dispute_id: is no dispute of the order';
      const fits = event.type === 'DisputeClosed' ? isOpenDispute(dispute) : dispute.state === 'open';
      return fits ? undefined : `dispute_id: the dispute is ${dispute.state}`;
    }
    default:
      return undefined;
  }
}

/** It comes again only when an inquiry becomes a dispute. */
function wrongOpening(order: KnownOrder, opened: OpenedDispute): string | undefined {
  const isOfCard = opened.kind === 'card';
  if (isOfCard && !isProvided(order.payment)) return 'dispute_id: the order has no payment';
  if (isOfCard !== (opened.reference !== null)) return `reference: does not fit the kind ${opened.kind}`;
  const known = disputeOf(order, opened.dispute_id);
  if (!known) return undefined;
  const becomesReal = known.inquiry && !opened.inquiry && isOpenDispute(known) && known.reference === opened.reference;
  return becomesReal ? undefined : 'dispute_id: is that of another dispute';
}

function disputeOf({ disputes }: KnownOrder, id: string): KnownOrder['disputes'][number] | undefined {
  return disputes.find(({ dispute_id: one }) => one === id);
}
