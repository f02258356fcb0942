import pg from 'pg';
import { expect, it } from 'vitest';
import { isoOfJson, parseInstant } from './instants.js';

const byPg = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

it.each([
  ['2026-11-23 01:02:03+00', '2026-11-23T01:02:03.000Z'],
  ['2026-11-23 01:02:03.4+00', '2026-11-23T01:02:03.400Z'],
  ['2026-11-23 01:02:03.04+00', '2026-11-23T01:02:03.040Z'],
  ['2026-11-23 01:02:03.004+00', '2026-11-23T01:02:03.004Z'],
  ['2026-11-23 01:02:03.123999+00', '2026-11-23T01:02:03.123Z'],
  ['2024-02-29 23:59:59.999+00', '2024-02-29T23:59:59.999Z'],
  ['1969-12-31 23:59:59.5+00', '1969-12-31T23:59:59.500Z'],
  ['9999-12-31 00:00:00+00', '9999-12-31T00:00:00.000Z'],
  ['2026-11-23 01:02:03.004+02', '2026-11-22T23:02:03.004Z'],
  ['2026-11-23 01:02:03+05:30', '2026-11-22T19:32:03.000Z'],
  ['2026-11-23 01:02:03-00:25:21', '2026-11-23T01:27:24.000Z'],
  ['0044-03-15 12:00:00+00', '0044-03-15T12:00:00.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ['12026-11-23 01:02:03+00', '+012026-11-23T01:02:03.000Z'],
])('%s is %s, as pg reads it', (text, iso) => {
  expect((parseInstant(text) as Date).toISOString()).toBe(iso);
  expect(parseInstant(text)).toEqual(byPg(text));
});

it.each([
  ['infinity', Infinity],
  ['-infinity', -Infinity],
])('%s is a number, as pg reads it', (text, value) => {
  expect(parseInstant(text)).toBe(value);
});

it('reads every millisecond', () => {
  for (let ms = 0; ms < 1_000; ms += 1) {
    const iso = `2026-11-23T01:02:43.${String(ms).padStart(3, '0')}Z`;
    // PostgreSQL leaves out the zeros at the end.
    const text = iso.replace('T', ' ').replace(/\.?0*Z$/, '+00');
    expect((parseInstant(text) as Date).toISOString()).toBe(iso);
  }
});

it.each([
  ['2026-11-23T01:02:03+00:00', '2026-11-23T01:02:03.000Z'],
  ['2026-11-23T01:02:03.4+00:00', '2026-11-23T01:02:03.400Z'],
  ['2026-11-23T01:02:03.045+00:00', '2026-11-23T01:02:03.045Z'],
  ['2026-11-23T01:02:03.123999+00:00', '2026-11-23T01:02:03.123Z'],
  ['2026-11-23T01:02:03.045+05:30', '2026-11-22T19:32:03.045Z'],
  ['2026-11-23T01:02:03.045-02:00', '2026-11-23T03:02:03.045Z'],
])('%s in JSON is %s', (text, iso) => {
  expect(isoOfJson(text)).toBe(iso);
});
