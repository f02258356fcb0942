import type { Fault } from '#contracts/checkout/error-body';

/** A purchase that changed nothing, and everything that was wrong with it. Holds nothing of what was sent. */
export class PurchaseRefused extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ code }) => code).join(', '));
  }
}

/** The fault of a purchase that was made before; without a `ref_id` the whole request is what was repeated. */
export function duplicatePurchase(refId: string | null): Fault {
  return { code: 40030, field: refId === null ? 'body' : 'ref_id' };
}
