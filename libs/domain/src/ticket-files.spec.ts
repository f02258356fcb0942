import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DomainError } from './domain-error.js';
import { decide, type OrderCommand } from './order.js';
import type { OrderEvent, ReceivedPurchase } from './order-events.js';
import { evolve, type KnownOrder, type Order } from './order-state.js';
import { statusCatalogue, type StatusCatalogueFile } from './status-catalogue.js';

const builtIn = new URL('./status-catalogue.json', import.meta.url);
const catalogue = statusCatalogue(JSON.parse(readFileSync(builtIn, 'utf8')) as StatusCatalogueFile);

const purchase = {
  client_id: 'acme',
  variant: 'wholesale',
  product: { event_id: '1', listing_id: 'L', quantity: 2 },
  listing_version: 1,
  total_cents: 1,
  delivery_method: 'download',
  confirmation: 'automatic',
  payment: null,
  personal: null,
} as unknown as ReceivedPurchase;

const status = (statusCode: number): OrderCommand => ({ type: 'ChangeStatus', statusCode });
const attach = (...ids: string[]): OrderCommand => ({
  type: 'AttachTickets',
  files: ids.map((id) => ({ id, type: 'application/pdf', size: 1, sha256: 'ab' })),
});
const attachForSeat = (id: string, seat: string): OrderCommand => ({
  type: 'AttachTickets',
  files: [{ id, type: 'application/pdf', size: 1, sha256: 'ab', seat }],
});
const download = (ticketId: string, link = 'lnk_1'): OrderCommand => ({
  type: 'RecordTicketDownload',
  ticketId,
  link,
});
const remove = (ticketId: string): OrderCommand => ({ type: 'RemoveTicket', ticketId });

/** The order after these commands, and what the last one gave. */
function life(...commands: readonly OrderCommand[]): { order: KnownOrder; last: string | string[] } {
  let order: Order = { known: false };
  let last: string | string[] = '';
  for (const command of [{ type: 'ReceivePurchase', purchase } as const, ...commands]) {
    const decided = decide(command, order, catalogue);
    const events = decided instanceof DomainError ? [] : (decided as readonly OrderEvent[]);
    last = decided instanceof DomainError ? decided.code : events.map(({ type }) => type);
    order = events.reduce<Order>(
      (before, event) => evolve(before, { ...event, recorded_at: '2026-11-23T12:00:00.000Z' }),
      order,
    );
  }
  return { order: order as KnownOrder, last };
}

describe('tickets as files', () => {
  it('are attached, downloaded and taken back', () => {
    const { order, last } = life(attach('a', 'b'), download('a'), remove('b'));
    expect(last).toEqual(['TicketRemoved']);
    expect(order.ticketFiles).toEqual({ ids: ['a'], handedOut: ['a'] });
    expect(life(attach('a'), remove('a'), remove('a')).last).toEqual([]);
  });

  it('are not attached to an order that is rejected, or of an older version than somebody saw', () => {
    expect(life(status(3004), attach('a')).last).toBe('TRANSITION_NOT_ALLOWED');
    expect(life({ ...attach('a'), expectedVersion: 1 } as OrderCommand).last).toBe('VERSION_STALE');
  });

  it('open by a link only while the order hands them out', () => {
    expect(life(attach('a'), download('b')).last).toBe('TICKET_UNKNOWN');
    expect(life(attach('a'), remove('a'), download('a')).last).toBe('TICKET_UNKNOWN');
    expect(life(attach('a'), download('a'), status(3007), download('a')).last).toBe('TICKET_UNKNOWN');
  });

  it('are not sold again after somebody downloaded them by a link', () => {
    const attached = attachForSeat('a', '1');
    expect(life(attached, status(3007)).order.tickets).toEqual({ held: 0, sent: false });
    expect(life(attached, download('a'), status(3007)).order.tickets).toEqual({ held: 2, sent: true });
  });

  it('give an order something to erase', () => {
    const { order, last } = life(attach('a'), { type: 'ErasePersonalData' });
    expect(last).toEqual(['PersonalDataErased']);
    expect(order.ticketFiles.ids).toEqual([]);
  });

  it('change the order only with the first download of each', () => {
    expect(life(attach('a', 'b'), download('a'), download('b')).last).toEqual(['TicketDownloaded']);
    expect(life(attach('a'), download('a'), download('a')).last).toEqual([]);
    expect(life(attach('a'), download('a'), download('a', 'lnk_2')).last).toEqual([]);
  });

  it('are at most a hundred', () => {
    expect(
      life(...Array.from({ length: 11 }, (_, at) => attach(...Array.from({ length: 10 }, (_, one) => `${at}${one}`))))
        .last,
    ).toBe('CONFLICT');
  });
});

describe('a delivery report', () => {
  const ship = (tracking_number: string): OrderCommand => ({
    type: 'Fulfil',
    fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number } },
  });
  const report = (what: (typeof REPORTS)[number], trackingNumber?: string): OrderCommand => ({
    type: 'ReportDelivery',
    report: what,
    ...(trackingNumber !== undefined && { trackingNumber }),
  });
  const REPORTS = [
    'confirmation_sent',
    'confirmation_bounced',
    'tickets_sent',
    'tickets_bounced',
    'parcel_delivered',
    'parcel_failed',
  ] as const;
  const code = (...commands: readonly OrderCommand[]) => life(...commands).order.status?.status_code;
  const toDownload: OrderCommand = {
    type: 'Fulfil',
    fulfillment: { type: 'download', data: { url: 'https://t.example' } },
  };

  it('moves the order it is about', () => {
    expect(code(report('confirmation_sent'))).toBe(2001);
    expect(code(report('confirmation_bounced'))).toBe(4002);
    expect(code(toDownload, report('tickets_bounced'))).toBe(4003);
    expect(code(report('tickets_sent'), report('confirmation_sent'))).toBe(2004);
    const again = { ...report('confirmation_sent'), again: true } as OrderCommand;
    expect(code(report('confirmation_bounced'), report('confirmation_sent'))).toBe(4002);
    expect(code(report('confirmation_bounced'), again)).toBe(2001);
    expect(code(ship('1Z'), report('parcel_delivered', '1Z'))).toBe(2003);
    expect(code(ship('1Z'), report('parcel_failed', '1Z'))).toBe(4004);
    expect(code(ship('1 Z'), report('parcel_failed', ' 1Z'))).toBe(4004);
    expect(code(ship('1Z'), report('parcel_failed', '1ZZ'))).toBe(2002);
    expect(code(ship('1Z'), report('parcel_failed'), report('parcel_delivered'))).toBe(2003);
  });

  it('never moves it backwards, and nothing twice', () => {
    expect(code(ship('1Z'), report('parcel_delivered'), report('parcel_failed'))).toBe(2003);
    expect(code(ship('1Z'), report('confirmation_sent'))).toBe(2002);
    expect(code(ship('1Z'), report('confirmation_bounced'))).toBe(2002);
    expect(life(ship('1Z'), report('parcel_delivered'), report('parcel_delivered')).last).toEqual([]);
    for (const what of REPORTS) expect(life(status(3004), report(what)).last).toEqual([]);
  });

  it('says nothing about a parcel that was replaced', () => {
    expect(code(ship('1Z'), ship('2Z'), report('parcel_failed', '1Z'))).toBe(2002);
    expect(code(ship('1Z'), ship('2Z'), report('parcel_failed', '2Z'))).toBe(4004);
  });
});
