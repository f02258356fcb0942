import type { StoredMail } from '#fulfilment/mails';
import type { UnnamedEntry } from './entry.js';

const WHAT = {
  confirmation: 'Confirmation',
  tickets: 'Tickets',
  refund: 'Refund notice',
  transfer: 'Transfer',
  choice: 'Choice',
} as const;

/** An e-mail to the buyer, without its address. One that waits for its turn is no news. */
export function mailEntries({ id, kind, state, error, attempts, ...mail }: StoredMail): UnnamedEntry[] {
  if (state === 'due' && error === null) return [];
  const common = { kind: 'email', detail: { mail: id, what: kind, attempts }, transaction_id: id } as const;
  const what = WHAT[kind];
  const sent = { ...common, at: mail.sent_at ?? mail.created_at, actor: mail.requested_by, order: `${id} 1` };
  switch (state) {
    case 'accepted':
    case 'sent':
      return [{ ...sent, title: `${what} sent by e-mail` }];
    case 'bounced':
      return [{ ...sent, title: `${what} sent by e-mail, but it came back` }];
    case 'refused':
      return [{ ...sent, title: `${what} refused by the mail server: ${error ?? ''}` }];
    case 'skipped':
      return [{ ...sent, title: `${what} not sent by e-mail: ${error ?? ''}` }];
    case 'due':
      return [{ ...sent, title: `${what} will be sent again: ${error ?? ''}` }];
  }
}
