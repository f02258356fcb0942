import { expect, test } from 'vitest';
import { PostalPlaces } from './postal-places.js';

const places = new PostalPlaces([
  { country: 'US', code: '10001', city: 'New York', state: 'NY', lat: 40.7484, lon: -73.9967 },
  { country: 'US', code: '11217', city: 'Brooklyn', state: 'NY', lat: 40.6816, lon: -73.9798 },
  { country: 'CA', code: 'M5V', city: 'Toronto', state: 'ON', lat: 43.6404, lon: -79.3995 },
]);

test.each([
  ['10001', 'New York'],
  ['10001-1234', 'New York'],
  [' 112 17 ', 'Brooklyn'],
  ['M5V', 'Toronto'],
  ['m5v 1j1', 'Toronto'],
  ['M5V1J1', 'Toronto'],
  ['1000', undefined],
  ['99999', undefined],
  ['M5V1', undefined],
  ['', undefined],
])('%j is in %s', (code, city) => {
  expect(places.find(code)?.city).toBe(city);
});

test('without codes no place is found', () => {
  const none = new PostalPlaces([]);
  expect([none.find('10001'), none.nearest(40.75, -74)]).toEqual([undefined, undefined]);
});

test('for codes in one building the most frequent city counts', () => {
  const at = { country: 'US', state: 'NY', lat: 40.7484, lon: -73.9967 };
  const rows = ['Some Company', 'New York', 'New York'].map((city, code) => ({ ...at, city, code: `1000${code}` }));
  expect(new PostalPlaces(rows).nearest(40.75, -74)?.postal_code).toBe('10001');
});

test('a place has the shape of meta.geolocation', () => {
  expect(places.find('10001')).toEqual({
    lat: 40.7484,
    lon: -73.9967,
    city: 'New York',
    state: 'NY',
    country: 'US',
    postal_code: '10001',
    display_name: 'New York, NY',
  });
});

test.each([
  [40.75, -74.0, 'New York'],
  [40.66, -73.97, 'Brooklyn'],
  [40.715, -73.99, 'New York'],
  // Some 20 km away, in another cell; and some 30 km away.
  [40.57, -73.85, 'Brooklyn'],
  [40.45, -73.8, undefined],
  [-43.6, 79.4, undefined],
])('the nearest code to %f, %f is in %s', (lat, lon, city) => {
  expect(places.nearest(lat, lon)?.city).toBe(city);
});
