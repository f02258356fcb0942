import { readers } from '../words/readers.js';

/** The runs that change a show and all its orders. */
export const showRunWords = {
  title: 'Runs of this show',
  note: 'Note',
  noteHint: `Stored with each change. ${readers.staff}`,
  brokerNoteHint: `Added to the note on each open order. ${readers.sellerAndStaff}`,
  keep: 'Keep show',
  cancelRefund: 'Cancel',
  refund: {
    open: 'Refund orders',
    title: 'Refund the orders of this show',
    hint: 'Each order gets the same back and keeps its tickets. To give everything back, cancel the show.',
    start: 'Start refunds',
  },
  cancel: {
    open: 'Cancel show',
    title: 'Cancel this show?',
    hint: 'Nobody can buy a ticket of it from now on. Orders whose tickets were not sent end, and their payments are given back. The others become exceptions.',
    start: 'Cancel show',
  },
  postpone: {
    open: 'Postpone',
    title: 'Postpone this show',
    hint: 'Tickets stay good for the new date. Purchases go on.',
    date: 'New date and time',
    dateHint: 'By the clock of the venue.',
    unknown: 'The new date is not known yet',
    choice: 'Let buyers choose until',
    choiceHint:
      'By your own clock. Until then, whoever paid here may give the tickets back for a refund. If empty, nobody is asked.',
    start: 'Postpone show',
  },
  move: {
    open: 'Move',
    title: 'Move this show',
    hint: 'Tickets stay good at the new venue. Purchases go on.',
    search: 'New venue',
    searchHint: 'Name, city or id of a venue of the catalogue.',
    found: 'Venues',
    none: 'The catalogue has no such venue.',
    date: 'New date and time',
    dateHint: 'By the clock of the new venue. If empty, date and time stay.',
    start: 'Move show',
  },
} as const;
