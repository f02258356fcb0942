import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Geocoder } from '../search/query/place.js';
import { venueLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { Discovery } from '../../../../test/support/discovery/discovery.js';

let discovery: Discovery;
beforeAll(async () => {
  discovery = await Discovery.start({ TRUST_PROXY: '127.0.0.0/8' });
  await discovery.write('venues', [venueLine(901), venueLine(902, { location: { lat: 40.7505, lon: -73.5 } })]);
});
afterAll(() => discovery.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const PLACE = {
  lat: 40.7505,
  lon: -73.9934,
  city: 'New York',
  state: 'NY',
  country: 'US',
  postal_code: '10001',
  display_name: 'New York, NY, US',
};

/** The looked-up addresses of the callers, all of them in New York. */
function lookedUpAddresses(): string[] {
  const asked: string[] = [];
  vi.spyOn(discovery.api.app.get(Geocoder), 'byIp').mockImplementation((ip) => {
    asked.push(ip);
    return Promise.resolve(PLACE);
  });
  return asked;
}

describe('a place', () => {
  it('is that of a postal code, and is returned with its range', async () => {
    const { documents, meta } = await discovery.bulk('/venues?geoip=10001&range=20km&per_page=100');
    expect(Object.keys(meta.geolocation ?? {})).toEqual([
      'lat',
      'lon',
      'range',
      'city',
      'state',
      'country',
      'postal_code',
      'display_name',
    ]);
    expect(meta.geolocation).toMatchObject({
      range: '20km',
      city: 'New York',
      state: 'NY',
      country: 'US',
      postal_code: '10001',
    });
    const ids = documents.map(({ id }) => id);
    expect([ids.includes(901), ids.includes(902)]).toEqual([true, false]);
    expect(await discovery.ids('/venues?geoip=10001&range=30mi&per_page=100')).toContain(902);
  });

  it('does not restrict the results if it is unknown', async () => {
    for (const geoip of ['true', '192.0.2.1', '00000']) {
      const { meta } = await discovery.bulk(`/venues?geoip=${geoip}`);
      expect([meta.geolocation, meta.total]).toEqual([null, 22]);
    }
  });

  it('is not looked up by a range, by false, next to ids, or for performers', async () => {
    const asked = lookedUpAddresses();
    for (const target of [
      '/venues?range=5mi',
      '/events?range=wherever',
      '/events?geoip=false',
      '/events?id=1&geoip=true',
      '/performers?geoip=true',
    ]) {
      expect((await discovery.bulk(target)).meta.geolocation, target).toBeNull();
    }
    expect(asked).toEqual([]);
  });

  it("of the caller comes from the caller's address, through trusted proxies", async () => {
    const asked = lookedUpAddresses();
    const from = (address: string) => discovery.get('/events?geoip=true', { 'x-forwarded-for': address });
    await from('203.0.113.7');
    await from('203.0.113.8, 203.0.113.9');
    await from('::ffff:203.0.113.10');
    await discovery.get('/events?geoip=true');
    await discovery.get('/events?geoip=203.0.113.11', { 'x-forwarded-for': '203.0.113.7' });
    expect(asked).toEqual(['203.0.113.7', '203.0.113.9', '203.0.113.10', '127.0.0.1', '203.0.113.11']);
  });
});
