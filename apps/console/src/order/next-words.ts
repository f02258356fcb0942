/** Of the line that says what is to be done with an order. */
export const nextWords = {
  label: 'What is next',
  nothing: 'Nothing is to be done.',
  todo: {
    confirm: 'Confirm or reject it',
    review: 'Approve or reject it',
    send: 'Send the tickets',
    solve: 'Solve the problem',
  },
  /** By the type of its delivery method. */
  send: {
    ship: 'Ship the tickets',
    download: 'Deliver the tickets',
    transfer: 'Transfer the tickets',
    will_call: 'Keep the tickets at the box office',
  },
  queue: {
    to_confirm: 'To confirm',
    review: 'Under review',
    to_ship: 'To ship',
    to_deliver: 'To deliver',
    exceptions: 'Exceptions',
    overdue: 'Overdue',
  },
  by: (time: string) => `by ${time}`,
  snoozed: (time: string) => `Snoozed until ${time}`,
  escalated: 'Escalated',
  last: 'Last:',
} as const;
