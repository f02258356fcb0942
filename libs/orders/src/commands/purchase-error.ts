import type { ValidationIssue } from '#contracts/checkout/error-body';

/** A rejected purchase with all its issues. Nothing was written, and it quotes nothing from the request. */
export class PurchaseError extends Error {
  constructor(readonly issues: readonly ValidationIssue[]) {
    super(issues.map(({ code }) => code).join(', '));
  }
}

/** The issue of a duplicate purchase. Without a `ref_id` the whole request is the duplicate. */
export function duplicatePurchase(refId: string | null): ValidationIssue {
  return { code: 40030, field: refId === null ? 'body' : 'ref_id' };
}
