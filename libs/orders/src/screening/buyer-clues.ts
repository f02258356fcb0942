import { lettersAndDigits } from '../buyer-folding.js';
import type { PersonalData } from '../purchase-drafts.js';

type Fields = Readonly<Record<string, unknown>> | null;

/** The parts of a buyer's data that fraud rules look at. They exist only in memory. */
export type BuyerClues = Readonly<{
  emails: readonly string[];
  /** The address that tickets are shipped to, or else the billing address. Undefined without either. */
  address: string | undefined;
  /** Of the billing address and of the delivery. */
  postalCodes: readonly string[];
  ipAddress: string | undefined;
  point: Readonly<{ lat: number; lon: number }> | undefined;
}>;

export function buyerClues({ user, delivery, billing }: PersonalData): BuyerClues {
  const [ofUser, ofDelivery, ofBilling] = [user as Fields, delivery as Fields, billing as Fields];
  const { lat, lon } = (ofUser?.['location'] ?? {}) as { lat?: unknown; lon?: unknown };
  return {
    emails: texts(ofUser?.['email'], ofDelivery?.['email']),
    address: addressOf(ofDelivery) ?? addressOf(ofBilling),
    postalCodes: texts(ofBilling?.['zip'], ofDelivery?.['zip']),
    ipAddress: texts(ofUser?.['ip_address'])[0],
    point: typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : undefined,
  };
}

/** Letters and digits of the street and the postal code. Flats of one house are one address. */
function addressOf(fields: Fields): string | undefined {
  const [street, ...place] = texts(fields?.['address1'], fields?.['zip'] ?? fields?.['city'], fields?.['country']);
  if (street === undefined || place.length === 0) return undefined;
  return [street, ...place].map((text) => lettersAndDigits(text)).join(' ');
}

function texts(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string' && value !== '') as string[];
}
