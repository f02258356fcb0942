/** Of the line that says what is to be done with an order. */
export const nextWords = {
  label: 'What is next',
  nothing: 'Nothing is to be done.',
  /** By `next_action`. */
  todo: {
    confirm: 'Confirm or reject it',
    upload_tickets: 'Deliver the tickets',
    upload_links: 'Send the ticket link',
    transfer: 'Transfer the tickets',
    enter_barcodes: 'Enter the barcodes',
    reenter_barcodes: 'Enter other barcodes',
    print_label: 'Print the label',
    wait_for_pickup: 'The tickets wait to be picked up',
    enter_tracking: 'Ship the tickets',
    wait_for_acceptance: 'The transfer waits to be accepted',
    retransfer: 'Transfer the tickets again',
    done: 'Solve the problem',
  },
  review: 'Approve or reject it',
  /** By `acts`; staff are whoever reads it. */
  acts: { seller: 'by the seller', buyer: 'by the buyer', carrier: 'by the carrier' },
  queue: {
    to_confirm: 'To confirm',
    review: 'Under review',
    to_ship: 'To ship',
    to_deliver: 'To deliver',
    exceptions: 'Exceptions',
    overdue: 'Overdue',
  },
  until: (time: string) => `until ${time}`,
  snoozed: (time: string) => `Snoozed until ${time}`,
  escalated: 'Escalated',
  last: 'Last:',
} as const;
