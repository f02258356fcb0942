import type { PaymentState } from '#domain/order-state';
import type { PaymentProvider } from './payment-provider.js';

type Payment = Extract<PaymentState, { is: 'authorised' | 'released' }>;

/** Whether money of the payment may be given back: what an import said of it is only a claim until the provider says the same. */
export async function isConfirmed(provider: PaymentProvider, orderId: string, payment: Payment): Promise<boolean> {
  if (payment.claim === undefined) return true;
  if (payment.claim === 'not_confirmed' || payment.provider !== provider.name) return false;
  const found = await provider.find(orderId);
  return (
    found.is === 'authorised' && found.reference === payment.reference && found.amountCents === payment.amount_cents
  );
}
