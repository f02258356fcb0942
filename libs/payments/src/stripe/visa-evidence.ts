import type Stripe from 'stripe';
import type { ComparedPurchase, CompellingEvidence } from '../provider-events.js';
import { idOf } from './intents.js';
import { ask, StripeFault } from './stripe-fault.js';

type VisaEvidence = Stripe.DisputeUpdateParams.Evidence.EnhancedEvidence.VisaCompellingEvidence3;

// With fewer the evidence would be refused.
const LEAST_EARLIER = 2;

/** What Stripe passes on to Visa of earlier purchases. Undefined if it does not know enough of their payments. */
export async function visaEvidence(stripe: Stripe, evidence: CompellingEvidence): Promise<VisaEvidence | undefined> {
  const earlier: VisaEvidence['prior_undisputed_transactions'] = [];
  for (const { payment, ...purchase } of evidence.earlier) {
    const charge = await chargeOf(stripe, payment);
    if (charge !== null) earlier.push({ charge, ...comparedFields(purchase) });
  }
  if (earlier.length < LEAST_EARLIER) return undefined;
  return {
    disputed_transaction: { ...comparedFields(evidence.disputed), merchandise_or_services: 'services' },
    prior_undisputed_transactions: earlier,
  };
}

/** Null for a payment of another account of Stripe, such as that of an installation before. */
async function chargeOf(stripe: Stripe, payment: string): Promise<string | null> {
  try {
    return idOf(
      (await ask('asking for an earlier payment', () => stripe.paymentIntents.retrieve(payment))).latest_charge,
    );
  } catch (error) {
    if (error instanceof StripeFault && error.isRefusal) return null;
    throw error;
  }
}

function comparedFields({ email, ip, address, product }: ComparedPurchase) {
  return {
    product_description: product,
    ...(email !== null && { customer_email_address: email }),
    ...(ip !== null && { customer_purchase_ip: ip }),
    ...(address && { shipping_address: addressFields(address) }),
  };
}

function addressFields(address: NonNullable<ComparedPurchase['address']>): Stripe.AddressParam {
  const { address1, address2, city, state, zip, country } = address;
  return {
    ...(address1 !== null && { line1: address1 }),
    ...(address2 !== null && { line2: address2 }),
    ...(city !== null && { city }),
    ...(state !== null && { state }),
    ...(zip !== null && { postal_code: zip }),
    ...(country !== null && { country }),
  };
}
