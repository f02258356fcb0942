import type { OrderMail } from '#contracts/backoffice/mail';

export const mailWords = {
  title: 'E-mail',
  none: 'Nothing was sent to the buyer from here.',
  send: 'Send e-mail',
  kind: { confirmation: 'Order confirmation', tickets: 'Tickets' } satisfies Record<OrderMail['kind'], string>,
  state: {
    due: 'Waiting',
    accepted: 'Sent',
    sent: 'Sent',
    skipped: 'Not sent',
    refused: 'Refused',
    bounced: 'Came back',
  } satisfies Record<OrderMail['state'], string>,
  what: 'What to send',
  preview: 'Preview',
  to: 'To',
  subject: 'Subject',
  text: 'Text',
  previewHint: 'Links are shortened here. The buyer gets them whole.',
  apply: 'Send',
  cancel: 'Cancel',
  requested: 'The e-mail is on its way.',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
} as const;
