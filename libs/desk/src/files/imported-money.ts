import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';

/**
 * Why what an imported event says of money does not follow from the order before it. Begins with the field. Undefined if it does. Amounts are
 * US cents.
 */
export function wrongMoney(order: KnownOrder, event: OrderEvent): string | undefined {
  const { payment, purchase, differenceDue } = order;
  switch (event.type) {
    case 'PaymentAuthorised':
      if (payment.is !== 'asked') return 'provider: the order awaits no payment';
      return disagreement(event.data.amount_cents, purchase.total_cents, `the order's total`);
    case 'PaymentDeclined':
    case 'PaymentFailed':
      return payment.is === 'asked' ? undefined : 'provider: the order awaits no payment';
    case 'PaymentReleased':
    case 'PaymentNotConfirmed':
      return otherPayment(order, event.data);
    case 'PaymentPartlyReleased':
      return (
        otherPayment(order, event.data) ??
        disagreement(event.data.amount_cents, differenceDue?.cents ?? 0, 'the difference to be given back')
      );
    case 'ReplacementProposed':
      if (purchase.total_cents + (event.data.difference_cents ?? 0) >= 0) return undefined;
      return `difference_cents: is more than the order's total of ${purchase.total_cents}`;
    default:
      return undefined;
  }
}

function otherPayment(
  { payment }: KnownOrder,
  { provider, reference }: Readonly<{ provider: string; reference: string }>,
): string | undefined {
  if (payment.is !== 'authorised' && payment.is !== 'released') return 'reference: the order has no payment';
  const isSame = payment.provider === provider && payment.reference === reference;
  return isSame ? undefined : 'reference: is not the payment of the order';
}

function disagreement(cents: number, expected: number, what: string): string | undefined {
  return cents === expected ? undefined : `amount_cents: ${cents} is not ${what}, ${expected}`;
}
