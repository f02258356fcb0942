import type { StatusCatalogueView } from '#contracts/backoffice/status-catalogue';

export const catalogueWords = {
  title: 'Statuses',
  hint: (version: number) => `What an order can be, and what may follow. Version ${version} of the catalogue.`,
  statuses: 'Statuses',
  code: 'Code',
  message: 'Message to the platform',
  group: 'Status',
  label: 'Button',
  noButton: 'Under More',
  sets: 'Set by Willcall',
  role: {
    pending_confirmation: 'when an order must be confirmed',
    manual_review: 'when an order is held for review',
    confirmed: 'when an order is confirmed at once',
    shipped: 'when tickets are shipped',
    delivered_electronically: 'when tickets are delivered by link',
    broker_did_not_respond: 'when nobody answers in time',
    technical_rejection: 'when the payment is not taken',
    technical_exception: 'when the payment provider does not answer',
  } as Record<string, string>,
  follows: 'What may follow',
  from: 'An order that is',
  to: 'may become',
  final: 'nothing else: it is final',
  name: { pending: 'Pending', confirmed: 'Confirmed', rejected: 'Rejected', exception: 'Exception' } as Record<
    StatusCatalogueView['statuses'][number]['status'],
    string
  >,
  changing:
    'The statuses come from the file that the setting STATUS_CATALOGUE_FILE names. Willcall checks it at every start, and says what is wrong in it. Restart api and worker after a change.',
} as const;
