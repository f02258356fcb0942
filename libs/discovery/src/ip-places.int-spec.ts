import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeMmdb } from '../../../test/support/discovery/mmdb.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../test/support/log-double.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { IpPlaces } from './ip-places.js';

const ADDRESS = '64.1.2.3';
const BOSTON = { city: { names: { en: 'Boston' } }, location: { latitude: 42.35, longitude: -71.06 } };

let file: string;
let log: LogDouble;
let clock: FixedClock;
let places: IpPlaces;
beforeAll(() => {
  const folder = temporaryFolder('ip-places');
  file = join(folder, 'city.mmdb');
  return () => rmSync(folder, { recursive: true });
});
beforeEach(() => {
  log = new LogDouble();
  clock = new FixedClock();
  places = new IpPlaces({ GEOIP_DB: file }, log, clock);
});

/** Turns the first byte of the only record into a type that MaxMind DB 2.0 does not know. */
function damageRecord(): void {
  writeMmdb(file, BOSTON);
  const bytes = readFileSync(file);
  bytes[6 + 16] = 0x01;
  bytes[6 + 17] = 0xf0;
  writeFileSync(file, bytes);
}

describe('IpPlaces', () => {
  it.each([
    ['whose type is unknown', damageRecord],
    ['that is no object', () => writeMmdb(file, 'Boston')],
    ['whose latitude is a text', () => writeMmdb(file, { location: { latitude: '42.35', longitude: -71.06 } })],
    ['that lies nowhere on earth', () => writeMmdb(file, { location: { latitude: 4235.5, longitude: -71.06 } })],
    ['whose names are numbers', () => writeMmdb(file, { ...BOSTON, city: { names: { en: 7 } } })],
  ])('finds no place for a record %s, and logs it once', async (_damage, write) => {
    write();
    expect(await places.find(ADDRESS)).toBeUndefined();
    expect(await places.find(ADDRESS)).toBeUndefined();
    expect(log.lines).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain(ADDRESS);
  });

  it('finds no place, and logs nothing, for a record without coordinates', async () => {
    writeMmdb(file, { country: { iso_code: 'US' } });
    expect(await places.find(ADDRESS)).toBeUndefined();
    expect(log.lines).toEqual([]);
  });

  it('opens a file that could not be read again after a minute', async () => {
    writeFileSync(file, 'half a download');
    expect(await places.find(ADDRESS)).toBeUndefined();
    writeMmdb(file, BOSTON);
    expect(await places.find(ADDRESS)).toBeUndefined();
    clock.advance(60_000);
    expect(await places.find(ADDRESS)).toMatchObject({ city: 'Boston', lat: 42.35 });
    expect(log.lines).toHaveLength(1);
  });
});
