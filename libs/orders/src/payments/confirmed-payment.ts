import type { KnownOrder } from '#domain/order-state';
import type { PaymentProvider } from '#payments/payment-provider';

type Payment = Extract<KnownOrder['payment'], { reference: string }>;

/** Whether money of the payment may be given back: what an import said of it is only a claim until the provider says the same. */
export async function isConfirmed(provider: PaymentProvider, orderId: string, payment: Payment): Promise<boolean> {
  if (payment.claim === undefined) return true;
  if (payment.claim === 'not_confirmed' || payment.provider !== provider.name) return false;
  const found = await provider.find({ orderId, reference: payment.reference });
  const isKnown = found.is === 'captured' || found.is === 'authorised';
  return isKnown && found.amountCents === payment.amount_cents;
}
