import { describe, expect, it } from 'vitest';
import { type PassFacts, passContent, zoned } from './pass-content.js';

const IDENTITY = {
  passTypeIdentifier: 'pass.example.tickets',
  teamIdentifier: 'ABCDE12345',
  organizationName: 'Acme',
  serialNumber: 'ord_1.MQ',
  authenticationToken: 'a-token-of-the-pass',
};
const FACTS: PassFacts = {
  title: 'Ada Quartet',
  venue: 'Hall',
  section: null,
  row: null,
  seat: '1',
  orderId: 'ord_1',
  starts: '2027-12-04T20:00:00-05:00',
  hasTime: true,
  barcode: '0081',
};
const dateOf = (facts: Partial<PassFacts>) =>
  passContent(IDENTITY, { ...FACTS, ...facts }).eventTicket.secondaryFields.find(({ key }) => key === 'date');

describe('what a pass says', () => {
  it('has the time at the venue, only the date, or neither', () => {
    expect(dateOf({})).toMatchObject({ value: FACTS.starts, timeStyle: 'PKDateStyleShort', ignoresTimeZone: true });
    expect(dateOf({ hasTime: false })).toMatchObject({ value: FACTS.starts, timeStyle: 'PKDateStyleNone' });
    expect(dateOf({ starts: null })).toMatchObject({ value: 'To be announced' });
    expect(dateOf({ starts: null })).not.toHaveProperty('dateStyle');
  });

  it('leaves out what nobody knows', () => {
    const { eventTicket, description } = passContent(IDENTITY, { ...FACTS, title: null, venue: null });
    expect(description).toBe('Ticket, seat 1');
    expect(eventTicket.auxiliaryFields).toEqual([{ key: 'seat', label: 'SEAT', value: '1' }]);
    expect(eventTicket.secondaryFields.map(({ key }) => key)).toEqual(['date']);
  });

  it('has a barcode, or is void', () => {
    expect(passContent(IDENTITY, FACTS)).not.toHaveProperty('voided');
    const isVoid = passContent(IDENTITY, { ...FACTS, barcode: null });
    expect(isVoid).toMatchObject({ voided: true });
    expect(isVoid).not.toHaveProperty('barcodes');
  });
});

it.each([
  ['2027-12-04T20:00:00', '2027-12-05T01:00:00', '-05:00'],
  ['2027-06-04T20:00:00', '2027-06-04T14:30:00', '+05:30'],
  ['2027-06-04T20:00:00', '2027-06-04T23:30:00', '-03:30'],
  ['2027-06-04T20:00:00', '2027-06-04T20:00:00', '+00:00'],
])('%s at the venue, which is %s UTC, is written with %s', (local, utc, offset) => {
  expect(zoned(local, utc)).toBe(`${local}${offset}`);
  expect(Date.parse(zoned(local, utc))).toBe(Date.parse(`${utc}Z`));
});
