import type { Replacement } from '#orders/replacement.contract';
import { readers } from '../words/readers.js';

export const replacementWords = {
  title: 'Offer other tickets',
  which: 'Other tickets for this show',
  none: 'No other listing of this show sells as many tickets together.',
  loading: 'Looking for other tickets …',
  seats: (section: string, row: string) => `Section ${section} · Row ${row}`,
  left: (count: number) => `${count} left`,
  each: (price: string) => `${price} each`,
  terms: 'Terms',
  termsHint: `What you tell the buyer, such as “one row further back, same price”. ${readers.sellerAndStaff} Nothing is sent.`,
  within: 'The buyer answers within',
  times: [
    [30, '30 minutes'],
    [60, '1 hour'],
    [240, '4 hours'],
    [1_440, '1 day'],
    [4_320, '3 days'],
  ],
  follows: (tickets: string) => [
    `${tickets} of the listing you choose are set aside until then, and go back on sale if nobody answers.`,
    'The order keeps its own tickets until the buyer accepts. Who has paid gets the difference to cheaper tickets back, and pays no more for dearer ones.',
    'The status becomes “Replacement tickets offered”. The platform is told.',
  ],
  changed: 'Somebody else changed this order. What you typed is kept. Look at the order, then apply again.',
  apply: 'Apply',
  cancel: 'Cancel',
  done: 'Other tickets are offered.',
  cheaper: (amount: string) => `${amount} cheaper: the buyer gets it back after accepting.`,
  dearer: (amount: string) => `${amount} dearer: the buyer pays no more.`,
  state: {
    open: 'Offered until',
    accepted: 'The buyer took the other tickets.',
    rejected: 'The buyer refused the other tickets.',
    lapsed: 'Nobody answered in time, so the other tickets are on sale again.',
    withdrawn: 'The offer of other tickets ended when the order went on.',
  } satisfies Record<Replacement['state'], string>,
} as const;
