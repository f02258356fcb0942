import type { OrderMail } from '#fulfilment/mail.contract';

const seatText = (seats: readonly string[]) =>
  seats.length === 0 ? '' : `, with ${seats.length === 1 ? 'seat' : 'seats'} ${seats.join(', ')}`;

export const mailWords = {
  title: 'E-mail',
  none: 'Nothing was sent to the buyer from here.',
  send: 'Send e-mail',
  kind: {
    confirmation: 'Order confirmation',
    tickets: 'Tickets',
    refund: 'Refund',
    transfer: 'Transfer',
    choice: 'Choice after a postponement',
  } satisfies Record<OrderMail['kind'], string>,
  state: {
    due: 'Waiting',
    accepted: 'Sent',
    sent: 'Sent',
    skipped: 'Not sent',
    refused: 'Refused',
    bounced: 'Came back',
  } satisfies Record<OrderMail['state'], string>,
  what: 'What to send',
  kindWithoutFiles: 'Tickets (no files yet)',
  noFiles: (tickets: number) =>
    `${tickets === 1 ? 'The ticket has no file' : `None of the ${tickets} tickets has a file`}. Add files under “Ticket files” first.`,
  fewFiles: (files: number, tickets: number, seats: readonly string[]) =>
    `There ${files === 1 ? 'is 1 file' : `are ${files} files`} for ${tickets} tickets${seatText(seats)}. ` +
    'A ticket that is in none of the files is not sent: add its file first.',
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
