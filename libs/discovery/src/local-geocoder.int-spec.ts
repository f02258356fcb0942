import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { PostalCodes } from './postal-codes.js';
import { createPool } from '#database/pool';
import { createTestDatabase } from '../../../test/support/database.js';
import { writeMmdb } from '../../../test/support/discovery/mmdb.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../test/support/log-double.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { IpPlaces } from './ip-places.js';
import { LocalGeocoder } from './local-geocoder.js';

const clock = new FixedClock();
let pool: Pool;
let postalCodes: PostalCodes;
let file: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined });
  postalCodes = new PostalCodes(pool);
  const folder = temporaryFolder('geoip');
  file = join(folder, 'city.mmdb');
  writeMmdb(file, {
    city: { names: { en: 'Boston' } },
    subdivisions: [{ iso_code: 'MA' }],
    country: { iso_code: 'US' },
    postal: { code: '02111' },
    location: { latitude: 42.35, longitude: -71.06 },
  });
  return async () => {
    rmSync(folder, { recursive: true });
    await pool.end();
    await database.drop();
  };
});

const log = new LogDouble();
const places = (geoip?: string) =>
  new LocalGeocoder(pool, postalCodes, clock, new IpPlaces({ GEOIP_DB: geoip }, log, clock));

test('US and Canadian postal codes have places', async () => {
  expect(await places().byPostalCode('90210')).toMatchObject({ city: 'Beverly Hills', state: 'CA', country: 'US' });
  expect(await places().byPostalCode('m5v 1j1')).toMatchObject({ state: 'ON', country: 'CA', postal_code: 'M5V' });
  expect(await places().byPostalCode('00000')).toBeUndefined();
});

test('military postal codes, whose places are secret, have none', async () => {
  expect(await places().byPostalCode('34001')).toBeUndefined();
  expect(await places().byPoint(0, 0)).toMatchObject({ city: null, postal_code: null });
});

test('a point gets the name of the nearest city', async () => {
  const point = { lat: 40.7506, lon: -73.9935 };
  expect(await places().byPoint(point.lat, point.lon)).toMatchObject({ ...point, display_name: 'New York, NY' });
  // Here the nearest code belongs to a company, with the company's name as its city.
  expect(await places().byPoint(40.75, -73.99)).toMatchObject({ display_name: 'New York, NY' });
  expect(await places().byPoint(0, -150)).toEqual({
    lat: 0,
    lon: -150,
    city: null,
    state: null,
    country: null,
    postal_code: null,
    display_name: null,
  });
});

test('an imported code takes effect after a second', async () => {
  const known = places();
  expect(await known.byPostalCode('10001')).toMatchObject({ city: 'New York' });
  await postalCodes.put([{ postal_code: '10001', country: 'US', state: 'NY', city: 'Gotham', lat: 40, lon: -74 }]);
  clock.advance(1_000);
  expect(await known.byPostalCode('10001')).toMatchObject({ city: 'Gotham', lat: 40 });
});

test('an IP address has the place of the mmdb file', async () => {
  expect(await places(file).byIp('64.1.2.3')).toEqual({
    lat: 42.35,
    lon: -71.06,
    city: 'Boston',
    state: 'MA',
    country: 'US',
    postal_code: '02111',
    display_name: 'Boston, MA',
  });
});

test.each(['192.0.2.1', '2001:db8::1', '', '64.1.2', 'localhost'])('%j has none', async (address) => {
  expect(await places(file).byIp(address)).toBeUndefined();
});

test('without a file no address has a place', async () => {
  expect(await places().byIp('64.1.2.3')).toBeUndefined();
});
