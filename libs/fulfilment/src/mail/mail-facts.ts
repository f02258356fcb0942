import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { catalogueIdSql } from '#discovery/catalogue-id';
import { Settings } from '#base/settings';
import { unlinked } from '#mail/unlinked';
import { Sealer, UnsealError } from '#base/sealing';
import { dollarsOf } from '#domain/money';
import type { DeliveryRecord } from '#orders/delivery-records';
import type { PersonalData } from '#orders/purchase-drafts';
import { openedRecipient } from '#orders/transfer-recipient';
import { choiceUrl } from '../choice-links.js';
import { TicketLinks } from '../tickets/ticket-links.js';
import { Tickets } from '../tickets/tickets.js';
import { obstacleOf } from './mail-obstacle.js';
import type { MailFacts, MailKind } from '../mail-templates.js';

/** `obstacle` says why nobody is mailed about the order. */
export type Addressed = Readonly<{
  to: string | null;
  obstacle: string | null;
  facts: MailFacts;
  /** The same without what is personal, for those who may not see it. */
  masked: MailFacts;
  ticketFiles: number;
  /** Of a mail about a refund: whether it was made. */
  hasRefund: boolean;
}>;

/** `refundId`: which refund it tells of; without one, the newest that was made. */
export type AskedMail = Readonly<{ kind: MailKind; refundId?: string | null }>;

/** Files are named by whoever uploaded them, often after the buyer. */
type LinkedFile = Readonly<{ name: string; seat: string | null; url: string; expires_at: string }>;

const LINK_DAYS = 30;
const MASK = '…';

/** What a mail about an order says, and to whom it goes: the address of the delivery, or else of the buyer. */
@Injectable()
export class MailFactsReader {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
    private readonly tickets: Tickets,
    private readonly links: TicketLinks,
  ) {}

  /** Undefined if there is no such order. `to` is null without an address, also after it was erased. */
  async of(orderId: string, { kind, refundId = null }: AskedMail): Promise<Addressed | undefined> {
    const [row] = (await this.pool.query<FactRow>(factsOf(kind), [orderId])).rows;
    if (!row) return undefined;
    const refund = kind === 'refund' ? await this.refundOf(orderId, refundId) : undefined;
    const personal = this.personalOf(orderId, row);
    const delivery = (personal?.delivery ?? {}) as Fields;
    const user = (personal?.user ?? {}) as Fields;
    const files = kind === 'tickets' ? await this.filesOf(orderId) : [];
    const transfer = kind === 'transfer' ? this.transferOf(orderId, row) : undefined;
    const choice = kind === 'choice' ? this.choiceOf(orderId, row) : undefined;
    const facts = { ...this.factsOf(orderId, row, firstNameIn(personal), files), ...refund, ...transfer, ...choice };
    const signed = transfer ?? choice;
    return {
      to: textOf(delivery['email']) || textOf(user['email']) || null,
      obstacle: row.obstacle,
      ticketFiles: files.length,
      hasRefund: refund !== undefined,
      facts,
      masked: {
        ...facts,
        first_name: facts.first_name && MASK,
        links: signed ? signed.links && MASK : files.map(({ seat, url }) => `${seat ?? MASK}: ${url}`).join('\n'),
      },
    };
  }

  private factsOf(orderId: string, row: FactRow, firstName: string, files: readonly LinkedFile[]): MailFacts {
    const expire = files[0]?.expires_at;
    return {
      order_id: orderId,
      reference: row.ref_id ?? '',
      first_name: firstName,
      event: row.title ?? `event ${row.event_id}`,
      date: dateText(row, this.settings.MAIL_LOCALE),
      venue: [row.venue, row.city].filter(Boolean).join(', '),
      seats: [row.section && `Section ${row.section}`, row.row && `row ${row.row}`].filter(Boolean).join(', '),
      tickets: row.quantity === 1 ? '1 ticket' : `${row.quantity} tickets`,
      total: this.amount(row.total_cents, this.settings.CURRENCY),
      refund: '',
      card: '',
      source: '',
      number: '',
      links: files.map(({ name, seat, url }) => `${unlinked(seat ?? name)}: ${url}`).join('\n'),
      links_expire: expire === undefined ? '' : dayText(expire, this.settings.MAIL_LOCALE),
      choose_by: '',
    };
  }

  private async refundOf(
    orderId: string,
    refundId: string | null,
  ): Promise<Pick<MailFacts, 'refund' | 'card'> | undefined> {
    const [row] = (await this.pool.query<RefundRow>(REFUND, [orderId, refundId])).rows;
    return row && { refund: this.amount(row.cents, row.currency), card: row.card ?? '' };
  }

  /** What waits for the buyer to accept it. */
  private transferOf(
    orderId: string,
    { key, delivery, sources }: FactRow,
  ): Pick<MailFacts, 'source' | 'number' | 'links'> {
    const open = (delivery?.seats ?? []).flatMap(({ transfer }) => (transfer?.state === 'sent' ? [transfer] : []));
    const claims = open.map(({ sent_with: id, sealed_recipient: sealed }) => {
      return sealed === null ? null : openedRecipient(this.sealer, { id: orderId, key }, { id, sealed })?.claim_url;
    });
    return {
      source: different(open.map(({ source }) => sources?.[source] ?? source)).join(', '),
      number: different(open.map((one) => one.confirmation_number)).join(', '),
      links: different(claims).join('\n'),
    };
  }

  private choiceOf(
    orderId: string,
    { open_choice: job, choice_until: until }: FactRow,
  ): Pick<MailFacts, 'links' | 'choose_by'> | undefined {
    if (job === null || until === null) return undefined;
    const { PUBLIC_URL, MAIL_LOCALE } = this.settings;
    const links = choiceUrl(this.sealer, PUBLIC_URL, { orderId, job });
    return { links, choose_by: instantText(until.toISOString(), MAIL_LOCALE) };
  }

  private amount(cents: number, currency: string): string {
    return new Intl.NumberFormat(this.settings.MAIL_LOCALE, { style: 'currency', currency }).format(dollarsOf(cents));
  }

  private async filesOf(orderId: string): Promise<LinkedFile[]> {
    const tickets = (await this.tickets.ofOrder(orderId)).filter(({ withdrawn_at }) => withdrawn_at === null);
    return tickets.map(({ id, label, type }) => ({
      name: label?.name ?? id,
      // A seat may have a pass beside a PDF.
      seat: label?.seat == null ? null : `Seat ${label.seat}${type.endsWith('.pkpass') ? ' (Apple Wallet)' : ''}`,
      ...this.links.create(id, LINK_DAYS * 24 * 60),
    }));
  }

  private personalOf(orderId: string, { key, personal }: FactRow): PersonalData | undefined {
    if (!key || !personal) return undefined;
    try {
      return this.sealer.openPersonal(orderId, key, personal) as PersonalData;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

const different = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => typeof text === 'string')),
];

type Fields = Readonly<Record<string, unknown>>;

type FactRow = Readonly<{
  obstacle: string | null;
  ref_id: string | null;
  event_id: string;
  quantity: number;
  total_cents: number;
  personal: Buffer | null;
  key: Buffer | null;
  section: string | null;
  row: string | null;
  title: string | null;
  /** The venue's wall clock, without a zone. */
  datetime_local: string | null;
  time_tbd: boolean | null;
  date_tbd: boolean | null;
  venue: string | null;
  city: string | null;
  /** Only in a mail about a transfer. */
  delivery: DeliveryRecord | null;
  /** The names of the transfer sources by their ids. Only in a mail about a transfer. */
  sources: Readonly<Record<string, string>> | null;
  /** The job that asked the buyer to choose, while an answer is awaited. */
  open_choice: string | null;
  choice_until: Date | null;
}>;

/** A corrected name first, then that of the payer, who gets the mail, and of the receiver of the tickets. */
function firstNameIn(personal: PersonalData | undefined): string {
  const people = [personal?.user, personal?.billing, personal?.delivery] as readonly (Fields | null | undefined)[];
  return people.map((person) => textOf(person?.['first_name'])).find((name) => name !== '') ?? '';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

type When = Pick<FactRow, 'datetime_local' | 'time_tbd' | 'date_tbd'>;

/** The date as the clock at the venue shows it, wherever the buyer and this machine are. */
export function dateText({ datetime_local: local, time_tbd: noTime, date_tbd: noDate }: When, locale: string): string {
  if (local === null || noDate) return '';
  // The wall clock is read as UTC and written as UTC, so no zone of any machine changes it.
  const at = new Date(`${local}Z`);
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeZone: 'UTC',
    ...(!noTime && { timeStyle: 'short' }),
  }).format(at);
}

export function dayText(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
}

/** An instant in the time that everybody can reckon from: the buyer's own is not known. @param iso ISO 8601 */
export function instantText(iso: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} UTC`;
}

type RefundRow = Readonly<{ cents: number; currency: string; card: string | null }>;

/** $1 the order, $2 the refund, or null for the newest. */
const REFUND = `
  select (asked.data ->> 'amount_cents')::float8 as cents, asked.data ->> 'currency' as currency, o.card_last4 as card
  from events made
  join events asked on asked.stream = made.stream and asked.type = 'RefundRequested'
    and asked.data ->> 'refund_id' = made.data ->> 'refund_id'
  join orders o on o.id = $1
  where made.stream = 'order-' || $1 and made.type = 'RefundSucceeded' and ($2::text is null or made.data ->> 'refund_id' = $2)
  order by made.position desc limit 1`;

const TRANSFERS = `o.summary -> 'delivery' as delivery, (select json_object_agg(s.id, s.name) from transfer_sources s) as sources`;

const factsOf = (kind: MailKind) => `
  select ${obstacleOf(kind)} as obstacle, o.ref_id, o.event_id, o.quantity, o.total_cents, o.personal, k.key,
    case when o.choice_answer is null and o.choice_until > now() and o.status <> 'rejected' then o.choice_job end as open_choice,
    o.choice_until, l.terms ->> 'section' as section, l.terms ->> 'row' as row,
    e.title, to_char(e.datetime_local, 'YYYY-MM-DD"T"HH24:MI:SS') as datetime_local,
    (e.document ->> 'time_tbd')::boolean as time_tbd, (e.document ->> 'date_tbd')::boolean as date_tbd, v.name as venue, v.city,
    ${kind === 'transfer' ? TRANSFERS : 'null as delivery, null as sources'}
  from orders o
  left join personal_data_keys k on k.order_id = o.id
  left join listings l on l.id = o.listing_id
  left join discovery_events e on e.id = ${catalogueIdSql('o.event_id')}
  left join discovery_venues v on v.id = e.venue_id
  where o.id = $1`;
