import type { ValidationIssue } from '#contracts/checkout/error-body';

/** A refused purchase with all its faults. Nothing was written, and it quotes nothing from the request. */
export class PurchaseError extends Error {
  constructor(readonly faults: readonly ValidationIssue[]) {
    super(faults.map(({ code }) => code).join(', '));
  }
}

/** The fault of a duplicate purchase. Without a `ref_id` the whole request is the duplicate. */
export function duplicatePurchase(refId: string | null): ValidationIssue {
  return { code: 40030, field: refId === null ? 'body' : 'ref_id' };
}
