import type { Dispute } from '#money/dispute.contract';

/** What pages other than those of disputes say of one. */
export const disputeStates = {
  open: 'Waits for our answer',
  sent: 'Answered, the bank decides',
  won: 'Won',
  lost: 'Lost',
  withdrawn: 'Withdrawn',
} satisfies Record<Dispute['state'], string>;
