import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import { isProvided } from '#domain/payment-state';
import { wrongDispute } from './imported-disputes.js';
import { wrongRefund } from './imported-refunds.js';

/**
 * Why what an imported event says of money does not follow from the order before it. Begins with the field. Undefined if it does. Amounts are
 * cents.
 */
export function wrongMoney(order: KnownOrder, event: OrderEvent): string | undefined {
  return wrongPayment(order, event) ?? wrongRefund(order, event) ?? wrongDispute(order, event);
}

function wrongPayment(order: KnownOrder, event: OrderEvent): string | undefined {
  const { payment, purchase, differenceDue } = order;
  switch (event.type) {
    case 'PaymentPrepared':
      if (payment.is !== 'asked' || payment.prepared) return AWAITS_NONE;
      return disagreement(event.data.amount_cents, purchase.total_cents, `the order's total`);
    case 'PaymentAuthorised':
      if (payment.is !== 'asked') return AWAITS_NONE;
      return (
        otherProvider(payment, event.data) ??
        disagreement(event.data.amount_cents, purchase.total_cents, `the order's total`)
      );
    case 'PaymentDeclined':
    case 'PaymentFailed':
      return payment.is === 'asked' ? undefined : AWAITS_NONE;
    case 'PaymentCaptured':
      return otherPayment(order, event.data) ?? wrongCapture(payment, event.data);
    case 'CaptureFailed':
      return otherPayment(order, event.data) ?? (payment.is === 'authorised' ? undefined : NOT_HELD);
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
    case 'ProviderFeeCharged':
      if (!isProvided(payment) || payment.provider !== event.data.provider) return OTHER_PROVIDER;
      return bookedTwice(order, event.data);
    case 'RemittanceMatched':
      if (event.data.client_id !== purchase.client_id) return `client_id: is not the order's`;
      return bookedTwice(order, event.data);
    default:
      return undefined;
  }
}

const AWAITS_NONE = 'provider: the order awaits no payment';
const OTHER_PROVIDER = 'provider: is not that of the payment';
const NOT_HELD = 'reference: nothing of the payment is held';

function otherProvider(
  { prepared }: Extract<KnownOrder['payment'], { is: 'asked' }>,
  { provider }: Readonly<{ provider: string }>,
): string | undefined {
  return prepared && prepared.provider !== provider ? OTHER_PROVIDER : undefined;
}

/** What was released may have been taken before. */
function wrongCapture(
  payment: KnownOrder['payment'],
  { amount_cents: cents, currency }: Readonly<{ amount_cents: number; currency: string }>,
): string | undefined {
  if (payment.is !== 'authorised' && payment.is !== 'released') return NOT_HELD;
  if (currency !== payment.currency) return `currency: is not that of the payment, ${payment.currency}`;
  return cents <= payment.amount_cents
    ? undefined
    : `amount_cents: ${cents} is more than was held, ${payment.amount_cents}`;
}

function otherPayment(
  { payment }: KnownOrder,
  { provider, reference }: Readonly<{ provider: string; reference: string }>,
): string | undefined {
  if (!isProvided(payment)) return 'reference: the order has no payment';
  const isSame = payment.provider === provider && payment.reference === reference;
  return isSame ? undefined : 'reference: is not the payment of the order';
}

function bookedTwice({ booked }: KnownOrder, { reference }: Readonly<{ reference: string }>): string | undefined {
  return booked.includes(reference) ? 'reference: is recorded twice' : undefined;
}

function disagreement(cents: number, expected: number, what: string): string | undefined {
  return cents === expected ? undefined : `amount_cents: ${cents} is not ${what}, ${expected}`;
}
