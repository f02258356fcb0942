import { expect, it } from 'vitest';
import { dateText, minuteTime, timeLeft, venueTime } from './formats.js';

const NOW = new Date(2026, 10, 25, 14, 32).getTime();
const left = (seconds: number) => timeLeft(new Date(NOW + seconds * 1_000).toISOString(), NOW).text;
const at = (year: number) => new Date(year, 10, 25, 9, 5).toISOString();

it.each([
  ['a day of this year', dateText(at(2026), NOW), '25 Nov'],
  ['a day of another year', dateText(at(2024), NOW), '25 Nov 2024'],
  ['a time of today', minuteTime(at(2026), NOW), '09:05'],
  ['the same day of another year', minuteTime(at(2024), NOW), '25 Nov 2024 09:05'],
  ['a show of this year', venueTime('2026-11-27T20:00:00', NOW), 'Fri 27 Nov, 20:00'],
  ['a show of the coming winter', venueTime('2027-02-21T19:00:00', NOW), 'Sun 21 Feb, 19:00'],
  ['a show of another year', venueTime('2031-05-02T20:00:00', NOW), 'Fri, 2 May 2031, 20:00'],
  ['the last five minutes, which tick', left(4 * 60 + 12), '4:12 min'],
  ['a time before them, which does not', left(12 * 60 + 59), '12 min'],
  ['more than an hour', left(80 * 60), '1 h 20 min'],
  ['a time that has passed', left(-(5 * 60 + 1)), '5 min'],
])('%s', (_, text, expected) => {
  expect(text).toBe(expected);
});
