import type { ValidationIssue } from '#web/error-body.contract';

/** Nothing was written. Quotes nothing from the request. */
export class PurchaseError extends Error {
  constructor(readonly issues: readonly ValidationIssue[]) {
    super(issues.map(({ code }) => code).join(', '));
  }
}

/** Without a `ref_id` the whole request is the duplicate. */
export function duplicatePurchase(refId: string | null): ValidationIssue {
  return { code: 40030, field: refId === null ? 'body' : 'ref_id' };
}
