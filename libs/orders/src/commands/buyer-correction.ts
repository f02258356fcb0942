import type { PersonalData } from '../purchase-drafts.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is right. Missing fields stay as they are. */
export type BuyerCorrection = Readonly<{
  first_name?: string | undefined;
  last_name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  address?: Readonly<Record<string, string | undefined>> | undefined;
}>;

/**
 * The data with the correction. The delivery changes where it has the corrected fields, and gets the address if tickets are shipped. The
 * billing address stays: it is what the payment provider has checked.
 */
export function corrected(data: PersonalData, correction: BuyerCorrection, deliveryMethod: string): PersonalData {
  const { address, ...contact } = correction;
  const fields = defined(contact);
  const user = data.user as Fields | null;
  const delivery = data.delivery as Fields;
  const ofDelivery = Object.entries(fields).filter(([name]) => name in delivery);
  return {
    ...data,
    user: {
      ...user,
      ...fields,
      ...(address && { address: { ...(user?.['address'] as object), ...defined(address) } }),
    },
    delivery: {
      ...delivery,
      ...Object.fromEntries(ofDelivery),
      ...(address && deliveryMethod === 'ship' && defined(address)),
    },
  };
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
