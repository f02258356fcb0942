import type { Settings } from '#base/settings';
import type { MailFacts, MailKind } from '../mail-templates.js';
import { dateText, dayText, instantText } from './mail-facts.js';

const EXPIRES = '2027-06-04T00:00:00Z';
const SEATS = ['Seat 7', 'Seat 8'];

/** What nobody bought, for the preview of the templates. */
export function exampleFacts(
  kind: MailKind,
  { MAIL_LOCALE, CURRENCY }: Pick<Settings, 'MAIL_LOCALE' | 'CURRENCY'>,
): MailFacts {
  const amount = new Intl.NumberFormat(MAIL_LOCALE, { style: 'currency', currency: CURRENCY });
  const when = { datetime_local: '2027-05-14T20:00:00', time_tbd: false, date_tbd: false };
  return {
    order_id: 'ord_0123456789abcdef0123456789abcdef',
    reference: '1795302347597',
    first_name: 'Ada',
    event: 'The Invented Players',
    date: dateText(when, MAIL_LOCALE),
    venue: 'Example Hall, Albany',
    seats: 'Section 104, row C',
    tickets: '2 tickets',
    total: amount.format(254.6),
    refund: amount.format(254.6),
    card: '1111',
    source: kind === 'transfer' ? 'Example Tickets' : '',
    number: kind === 'transfer' ? 'TR-1204' : '',
    links: linksOf(kind),
    links_expire: dayText(EXPIRES, MAIL_LOCALE),
    choose_by: instantText(EXPIRES, MAIL_LOCALE),
  };
}

function linksOf(kind: MailKind): string {
  if (kind === 'transfer') return 'https://claim.example/TR-1204';
  if (kind === 'choice') return 'https://tickets.example/choices/1';
  return SEATS.map((seat, at) => `${seat}: https://tickets.example/tickets/${at + 1}`).join('\n');
}
