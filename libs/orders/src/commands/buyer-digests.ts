import type { BuyerField, Sealer } from '#crypto/sealing';
import type { PersonalData } from './purchase-drafts.js';

/** The digests by which a buyer's orders are found: the first of each field, and all further ones of any field. */
export type BuyerDigests = Readonly<Record<BuyerField, Buffer | null>> & Readonly<{ others: readonly Buffer[] }>;

export const NO_BUYER_DIGESTS: BuyerDigests = { email: null, phone: null, last_name: null, others: [] };

/** The buyer, the receiver and the payer may be different people, and the order is found by each of them. */
export function buyerDigests(sealer: Sealer, { user, delivery, billing }: PersonalData): BuyerDigests {
  const people = [user, delivery, billing] as readonly (Readonly<Record<string, unknown>> | null)[];
  const of = (field: BuyerField): Buffer[] => {
    const values = people.map((person) => person?.[field]).filter((value) => typeof value === 'string');
    const digests = new Map<string, Buffer>();
    for (const value of new Set(values)) {
      const digest = sealer.buyerDigest(field, value);
      if (digest) digests.set(digest.toString('hex'), digest);
    }
    return [...digests.values()];
  };
  const [[email = null, ...emails], [phone = null, ...phones], [name = null, ...names]] = [
    of('email'),
    of('phone'),
    of('last_name'),
  ];
  return { email, phone, last_name: name, others: [...emails, ...phones, ...names] };
}
