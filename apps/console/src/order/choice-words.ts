import type { OrderChoice } from '#orders/choice.contract';

/** What the buyer of a postponed show does with the tickets. */
export const choiceWords = {
  state: {
    open: 'The show was postponed. The buyer may give the tickets back until',
    kept: 'The show was postponed. The buyer keeps the tickets.',
    refunded: 'The show was postponed. The buyer gave the tickets back.',
    lapsed: 'The show was postponed. The buyer did not choose by',
  } satisfies Record<OrderChoice['state'], string>,
  copy: 'Copy link',
  copied: 'Link copied.',
  link: 'Link for the buyer',
} as const;
