import type { Fault } from '#contracts/checkout/error-body';

/** A purchase that changed nothing, and everything that was wrong with it. Holds nothing of what was sent. */
export class PurchaseRefused extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ code }) => code).join(', '));
  }
}
