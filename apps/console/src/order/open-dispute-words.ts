/** Of a dispute that no bank decides. */
export const openDisputeWords = {
  title: 'Open a dispute',
  kind: 'What happened',
  kinds: { denied_entry: 'The buyer was not let in', cancelled_sale: 'The sale was cancelled' },
  follows: {
    denied_entry: 'It is to be settled within 7 days.',
    cancelled_sale: 'It is to be settled within 14 days.',
  },
  nothingElse:
    'Status and money of the order stay as they are. The order is in the queue Money until the dispute is closed.',
  submit: 'Open dispute',
  done: 'The dispute is open.',
  link: 'Show it',
  note: 'Note',
  noteHint: 'For colleagues; the buyer does not see it.',
  cancel: 'Cancel',
} as const;
