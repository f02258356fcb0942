import { expect, it } from 'vitest';
import { dateText } from './mail-facts.js';

const when = { datetime_local: '2026-11-27T20:00:00', time_tbd: false, date_tbd: false };

it('the date of an event is that of the clock at the venue, in the words of the locale', () => {
  expect(dateText(when, 'en-US').replaceAll(/\s/g, ' ')).toBe('Friday, November 27, 2026 at 8:00 PM');
  expect(dateText(when, 'de-DE')).toBe('Freitag, 27. November 2026 um 20:00');
});

it('what is not known yet is left out', () => {
  expect(dateText({ ...when, time_tbd: true }, 'en-US')).toBe('Friday, November 27, 2026');
  expect(dateText({ ...when, date_tbd: true }, 'en-US')).toBe('');
  expect(dateText({ ...when, datetime_local: null }, 'en-US')).toBe('');
});
