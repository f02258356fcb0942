import { isIP } from 'node:net';
import type { ArgumentReader } from './argument-reader.js';

/** Where to search around, as the request names it. */
export type Whereabouts =
  | Readonly<{ by: 'point'; lat: number; lon: number }>
  | Readonly<{ by: 'postal code'; code: string }>
  | Readonly<{ by: 'address'; ip: string }>
  | Readonly<{ by: 'caller' }>;

/** `text` is the range as `meta.geolocation` shows it, e.g. `30mi`. */
export type Range = Readonly<{ metres: number; text: string }>;

export type PlaceRequest = Readonly<{ whereabouts: Whereabouts; range: Range }>;

export const DEFAULT_RANGE = '30mi';

const METRES = { mi: 1_609.344, km: 1_000 } as const;

const US = /^\d{5}(?:[- ]?\d{4})?$/;
const CANADA = /^[a-z]\d[a-z](?:[- ]?\d[a-z]\d)?$/i;

/** A point wins over `geoip`. */
export function readPlace(args: ArgumentReader): PlaceRequest | undefined {
  return within(readPoint(args) ?? readGeoip(args), args, DEFAULT_RANGE);
}

/** Where a place has to be given, and may be by `postal_code` too. */
export function readRequiredPlace(args: ArgumentReader, defaultRange: string): PlaceRequest | undefined {
  const whereabouts = readPoint(args) ?? readGeoip(args) ?? readPostalCode(args);
  if (!whereabouts && !isFaulty(args)) args.fault('geoip', 'must be given, or lat and lon, or postal_code');
  return within(whereabouts, args, defaultRange);
}

const PLACE_NAMES = ['geoip', 'lat', 'lon', 'postal_code'];

const isFaulty = ({ faults }: ArgumentReader) => faults.some(({ argument }) => PLACE_NAMES.includes(argument));

/** A range without a place is not looked at. */
function within(whereabouts: Whereabouts | undefined, args: ArgumentReader, usual: string): PlaceRequest | undefined {
  if (!whereabouts && !isFaulty(args)) return undefined;
  const range = args.value('range', 'a number followed by mi or km, such as 30mi', rangeOf) ?? rangeOf(usual);
  return whereabouts && range && { whereabouts, range };
}

/** @returns undefined for what is no US or Canadian postal code. */
export function postalCodeOf(text: string): string | undefined {
  return US.test(text) || CANADA.test(text) ? text.toUpperCase().replace(/[- ]/, ' ') : undefined;
}

export function rangeOf(text: string): Range | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6}) ?(mi|km)$/i.exec(text) ?? [];
  const name = unit.toLowerCase() as keyof typeof METRES;
  const metres = Number(number) * METRES[name];
  return metres > 0 ? { metres, text: `${Number(number)}${name}` } : undefined;
}

function readPoint(args: ArgumentReader): Whereabouts | undefined {
  const lat = args.value('lat', 'decimal degrees from -90 to 90', (text) => degreesOf(text, 90));
  const lon = args.value('lon', 'decimal degrees from -180 to 180', (text) => degreesOf(text, 180));
  if (args.has('lat') && !args.has('lon')) return args.fault('lon', 'must be given with lat');
  if (args.has('lon') && !args.has('lat')) return args.fault('lat', 'must be given with lon');
  return lat === undefined || lon === undefined ? undefined : { by: 'point', lat, lon };
}

function readGeoip(args: ArgumentReader): Whereabouts | undefined {
  const expected = 'an IP address, a US or Canadian postal code, true or false';
  return args.value('geoip', expected, geoipOf) ?? undefined;
}

function readPostalCode(args: ArgumentReader): Whereabouts | undefined {
  const code = args.value('postal_code', 'a US or Canadian postal code', postalCodeOf);
  return code === undefined ? undefined : { by: 'postal code', code };
}

/** null for `false`, which asks for nothing. */
function geoipOf(text: string): Whereabouts | null | undefined {
  const word = text.toLowerCase();
  if (word === 'false') return null;
  if (word === 'true') return { by: 'caller' };
  if (isIP(text) !== 0) return { by: 'address', ip: text };
  const code = postalCodeOf(text);
  return code === undefined ? undefined : { by: 'postal code', code };
}

function degreesOf(text: string, most: number): number | undefined {
  const degrees = /^[+ -]?(?:\d{1,3}(?:\.\d{0,20})?|\.\d{1,20})$/.test(text) ? Number(text) : NaN;
  return Math.abs(degrees) <= most ? degrees : undefined;
}
