import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { find } from 'geo-tz';
import { describe, expect, it } from 'vitest';
import { TimeZoneMap } from './time-zones/time-zone-map.js';
import { timeZoneOf } from './venue-time-zone.js';

type Place = readonly [lat: number, lon: number];

const BORDERS_AGREE_FROM_M = 40;
const M_PER_DEGREE = 111_000;
const geoTz = (lat: number, lon: number) => find(lat, lon)[0] ?? '';

describe('the time zone of a venue', () => {
  it('is the one of the catalogue, or else the one of its coordinates', async () => {
    const [lat, lon] = [40.7505, -73.9934];
    expect(await timeZoneOf({ time_zone: 'America/Chicago', lat, lon })).toBe('America/Chicago');
    expect(await timeZoneOf({ time_zone: null, lat, lon })).toBe('America/New_York');
    expect(await timeZoneOf({ time_zone: null, lat, lon: null })).toBeUndefined();
  });

  it.each([
    [51.556, -0.2795, 'Europe/London'],
    [-33.8568, 151.2153, 'Australia/Sydney'],
    // Surrounded by another zone.
    [41.9029, 12.4534, 'Europe/Rome'],
    [35.1983, -111.6513, 'America/Phoenix'],
    [35.9022, -110.6329, 'America/Phoenix'],
    [36.0, -110.0, 'America/Denver'],
    // At sea, and at the edges of the map.
    [0, -30, 'Etc/GMT+2'],
    [0, -7.5, 'Etc/GMT'],
    [-90, 0, 'Pacific/Auckland'],
    [-16.5, 180, 'Pacific/Fiji'],
  ])('at %d, %d is %s', async (lat, lon, zone) => {
    expect(await timeZoneOf({ time_zone: null, lat, lon })).toBe(zone);
  });
});

describe('the map of time zones', () => {
  const map = TimeZoneMap.read(readFileSync(new URL('./time-zones/borders.bin', import.meta.url)));

  it('is made of the geo-tz that is installed (run `node tools/time-zone-borders.mjs`)', () => {
    const { devDependencies } = JSON.parse(
      readFileSync(new URL('../../../checks/package.json', import.meta.url), 'utf8'),
    ) as { devDependencies: Record<string, string> };
    expect(map.version).toBe(devDependencies['geo-tz']);
  });

  it('agrees with geo-tz on land', () => {
    const [lat, lon] = [fc.double({ min: -60, max: 75, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })];
    const onLand = fc.tuple(lat, lon).filter((place) => !geoTz(...place).startsWith('Etc/'));
    fc.assert(
      fc.property(onLand, (place) => map.zoneAt(...place) === geoTz(...place)),
      { numRuns: 500, seed: 1 },
    );
  }, 30_000);

  it.each<[string, Place, Place]>([
    ['Chattanooga and Jasper', [35.0456, -85.3097], [35.0742, -85.6261]],
    ['the west and the east of Kentucky', [37.5, -86.5], [37.5, -84.5]],
    ['the west and the middle of Indiana', [41.1, -87.3], [41.1, -86.0]],
    ['Spain and Portugal', [39.0, -6.5], [39.0, -8.0]],
    ['Finland and Sweden', [65.85, 24.3], [65.85, 23.5]],
    ['Queensland and New South Wales', [-27.5, 152.5], [-29.5, 152.5]],
    ['Nepal and India', [27.7, 85.3], [26.0, 85.3]],
  ])('agrees with geo-tz 40 m from the border between %s', (_, here, there) => {
    for (const place of besideBorder(here, there)) expect(map.zoneAt(...place)).toBe(geoTz(...place));
  });

  /** Where the zone of the first place ends on the way to the second: a place on each side. */
  function besideBorder(here: Place, there: Place): Place[] {
    const at = (part: number): Place => [here[0] + (there[0] - here[0]) * part, here[1] + (there[1] - here[1]) * part];
    const zone = geoTz(...here);
    expect(geoTz(...there)).not.toBe(zone);
    let [inside, outside] = [0, 1];
    while (outside - inside > 1e-7) {
      const middle = (inside + outside) / 2;
      if (geoTz(...at(middle)) === zone) inside = middle;
      else outside = middle;
    }
    const step = BORDERS_AGREE_FROM_M / M_PER_DEGREE / Math.hypot(there[0] - here[0], there[1] - here[1]);
    return [at(inside - step), at(outside + step)];
  }
});
