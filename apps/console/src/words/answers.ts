import type { DenialReason } from '#orders/broker-answer.contract';

type Denial = Readonly<{ name: string; status: string }>;

/** The reasons why a broker does not give the tickets, and the status that each gives. */
export const denials: Readonly<Record<DenialReason, Denial>> = {
  denied: { name: 'The broker does not give them', status: 'Tickets not available - broker denies' },
  not_available: {
    name: 'The tickets are not available any more',
    status: 'Tickets not available - listing no longer available',
  },
  price_error: { name: 'The price was wrong', status: 'Tickets not available - broker denies' },
  duplicate: { name: 'The same order is there twice', status: 'Tickets not available - broker denies' },
  fraud: { name: 'Fraud', status: 'Fraud - manual review' },
  event_cancelled: { name: 'The show is cancelled', status: 'Event cancelled' },
  other: { name: 'Another reason', status: 'Tickets not available - broker denies' },
};

export const answerWords = {
  confirm: 'Confirm',
  reject: 'Reject',
  gone: 'This order no longer waits for an answer.',
  close: 'Close',
  done: (label: string) => `Done: ${label}.`,
  until: (time: string, left: string) => `It counts until ${time} (${left} left).`,
} as const;
