import { isIP } from 'node:net';
import { type Argument, parametersOf, value } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';

/** The centre of a search, as the request names it. */
export type SearchCentre =
  | Readonly<{ by: 'point'; lat: number; lon: number }>
  | Readonly<{ by: 'postal code'; code: string }>
  | Readonly<{ by: 'address'; ip: string }>
  | Readonly<{ by: 'caller' }>;

/** `text` is the range as shown in `meta.geolocation`, e.g. `30mi`. */
export type Range = Readonly<{ metres: number; text: string }>;

export type PlaceRequest = Readonly<{ centre: SearchCentre; range: Range }>;

const DEFAULT_RANGE = '30mi';

const METRES = { mi: 1_609.344, km: 1_000 } as const;

const US = /^\d{5}(?:[- ]?\d{4})?$/;
const CANADA = /^[a-z]\d[a-z](?:[- ]?\d[a-z]\d)?$/i;

const LAT = value('lat', 'decimal degrees; with lon', {
  expected: 'decimal degrees from -90 to 90',
  parse: (text) => degreesOf(text, 90),
  schema: { type: 'number', minimum: -90, maximum: 90 },
});

const LON = value('lon', 'decimal degrees; with lat', {
  expected: 'decimal degrees from -180 to 180',
  parse: (text) => degreesOf(text, 180),
  schema: { type: 'number', minimum: -180, maximum: 180 },
});

const GEOIP = value('geoip', "an IP address, a US or Canadian postal code, or true for the caller's address", {
  expected: 'an IP address, a US or Canadian postal code, true or false',
  parse: geoipOf,
});

const POSTAL_CODE = value('postal_code', 'a US or Canadian postal code; this, geoip, or lat with lon is needed', {
  expected: 'a US or Canadian postal code',
  parse: postalCodeOf,
});

const rangeArgument = (usual: string) =>
  value('range', `a number followed by mi or km; without it ${usual}`, {
    expected: 'a number followed by mi or km, such as 30mi',
    parse: rangeOf,
  });

/** A point takes precedence over `geoip`. */
export const PLACE: Argument<PlaceRequest | undefined> = placeBy([GEOIP, LAT, LON], DEFAULT_RANGE, (args) => {
  return readPoint(args) ?? readGeoip(args);
});

/** A place that must be given. It can also be given by `postal_code`. */
export function requiredPlace(defaultRange: string): Argument<PlaceRequest | undefined> {
  return placeBy([GEOIP, LAT, LON, POSTAL_CODE], defaultRange, (args) => {
    const centre = readPoint(args) ?? readGeoip(args) ?? readPostalCode(args);
    if (!centre && !isInvalid(args)) args.report('geoip', 'must be given, or lat and lon, or postal_code');
    return centre;
  });
}

const PLACE_NAMES = ['geoip', 'lat', 'lon', 'postal_code'];

const isInvalid = ({ issues }: ArgumentReader) => issues.some(({ argument }) => PLACE_NAMES.includes(argument));

/** A range without a place is ignored. */
function placeBy(
  named: readonly Argument<unknown>[],
  defaultRange: string,
  readWhereabouts: (args: ArgumentReader) => SearchCentre | undefined,
): Argument<PlaceRequest | undefined> {
  const rangeGiven = rangeArgument(defaultRange);
  return {
    parameters: parametersOf([...named, rangeGiven]),
    read: (args) => {
      const centre = readWhereabouts(args);
      if (!centre && !isInvalid(args)) return undefined;
      const range = rangeGiven.read(args) ?? rangeOf(defaultRange);
      return centre && range && { centre, range };
    },
  };
}

/** Returns a US or Canadian postal code in its usual form, and undefined for any other text. */
export function postalCodeOf(text: string): string | undefined {
  return US.test(text) || CANADA.test(text) ? text.toUpperCase().replace(/[- ]/, ' ') : undefined;
}

export function rangeOf(text: string): Range | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6}) ?(mi|km)$/i.exec(text) ?? [];
  const name = unit.toLowerCase() as keyof typeof METRES;
  const metres = Number(number) * METRES[name];
  return metres > 0 ? { metres, text: `${Number(number)}${name}` } : undefined;
}

function readPoint(args: ArgumentReader): SearchCentre | undefined {
  const [lat, lon] = [LAT.read(args), LON.read(args)];
  if (args.has('lat') && !args.has('lon')) return args.report('lon', 'must be given with lat');
  if (args.has('lon') && !args.has('lat')) return args.report('lat', 'must be given with lon');
  return lat === undefined || lon === undefined ? undefined : { by: 'point', lat, lon };
}

function readGeoip(args: ArgumentReader): SearchCentre | undefined {
  return GEOIP.read(args) ?? undefined;
}

function readPostalCode(args: ArgumentReader): SearchCentre | undefined {
  const code = POSTAL_CODE.read(args);
  return code === undefined ? undefined : { by: 'postal code', code };
}

/** Returns null for `false`, which asks for no place. */
function geoipOf(text: string): SearchCentre | null | undefined {
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
