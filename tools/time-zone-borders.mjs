// `node tools/time-zone-borders.mjs`: writes libs/discovery/src/time-zones/borders.bin of the data of geo-tz, after each new version of it.
// Needs `checks` and `dist` (`node tools/ensure.mjs --checks`). time-zone-map.ts says what the file has, and reads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { AREA, STEPS_PER_DEGREE } from '../dist/libs/discovery/src/time-zones/time-zone-map.js';

const { resolve } = createRequire(import.meta.url);
const fromGeoTz = createRequire(resolve('geo-tz'));
const { decode } = fromGeoTz('geobuf');
const Pbf = fromGeoTz('pbf');
const { version } = fromGeoTz('../package.json');
const { timezones, lookup } = fromGeoTz('../data/timezones-1970.geojson.index.json');
const shapesFile = readFileSync(fromGeoTz.resolve('../data/timezones-1970.geojson.geo.dat'));

const SEA = 0;
const WORLD = { top: 89.9999, bottom: -89.9999, left: -179.9999, right: 179.9999 };
// In a smaller square the sea has the zone of its only coast, which is at most 180 km away. No venue is there.
const LEAST_DEGREES_WITH_SEA = 0.8;
// Where areas overlap or a border is rounded, their sum differs by less.
const NEARLY = 1e-6;

const numberOf = (zone) => timezones.indexOf(zone) + 1;

function areaBytes(area, bounds) {
  if (area === undefined) return [AREA.whole, SEA];
  if (Array.isArray(area)) return [AREA.whole, ...unsigned(area.length > 0 ? area[0] + 1 : SEA)];
  if (area.len)
    return shapesBytes(decode(new Pbf(shapesFile.subarray(area.pos, area.pos + area.len))).features, bounds);
  return [AREA.quarters, ...quartersOf(bounds).flatMap((quarter, i) => areaBytes(area['abcd'[i]], quarter))];
}

function quartersOf({ top, bottom, left, right }) {
  const [midY, midX] = [(top + bottom) / 2, (left + right) / 2];
  return [
    { top, bottom: midY, left: midX, right },
    { top, bottom: midY, left, right: midX },
    { top: midY, bottom, left, right: midX },
    { top: midY, bottom, left: midX, right },
  ];
}

/** geo-tz answers the first feature in which a place is. Without a sea the last one needs no shape: it is what the others leave. */
function shapesBytes(features, bounds) {
  const lone = features.length === 1 && bounds.top - bounds.bottom < LEAST_DEGREES_WITH_SEA;
  const last = numberOf(features.at(-1).properties.tzid);
  if (lone) return [AREA.whole, ...unsigned(last)];
  const isLand = isCovered(features, bounds);
  const shapes = (isLand ? features.slice(0, -1) : features).flatMap(shapeBytes);
  return [AREA.shapes, ...unsigned(isLand ? last : SEA), ...unsigned(shapes.length), ...shapes];
}

function isCovered(features, { top, bottom, left, right }) {
  const covered = features
    .flatMap(polygonsOf)
    .reduce((sum, [outer, ...holes]) => holes.reduce((rest, hole) => rest - sizeOf(hole), sum + sizeOf(outer)), 0);
  return Math.abs(covered / ((top - bottom) * (right - left)) - 1) < NEARLY;
}

function sizeOf(ring) {
  let twice = 0;
  for (let i = 1; i < ring.length; i++) twice += ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1];
  return Math.abs(twice / 2);
}

function shapeBytes(feature) {
  const rings = polygonsOf(feature)
    .flat()
    .map(cornersOf)
    .filter(({ length }) => length > 2);
  const bytes = [...unsigned(numberOf(feature.properties.tzid)), ...unsigned(rings.length)];
  let [beforeX, beforeY] = [0, 0];
  for (const ring of rings) {
    bytes.push(...unsigned(ring.length));
    for (const [x, y] of ring) {
      bytes.push(...signed(x - beforeX), ...signed(y - beforeY));
      [beforeX, beforeY] = [x, y];
    }
    // Where the reader is after the last side.
    [beforeX, beforeY] = ring[0];
  }
  return bytes;
}

const polygonsOf = ({ geometry: { type, coordinates } }) => (type === 'Polygon' ? [coordinates] : coordinates);

/** Rounded alike on both sides of a border, so that nothing is between them. The first corner is not repeated at the end. */
function cornersOf(ring) {
  const corners = [];
  for (const place of ring) {
    const [x, y] = place.map((degrees) => Math.round(degrees * STEPS_PER_DEGREE));
    const [beforeX, beforeY] = corners.at(-1) ?? [];
    if (x !== beforeX || y !== beforeY) corners.push([x, y]);
  }
  const [[firstX, firstY], [lastX, lastY]] = [corners[0], corners.at(-1)];
  if (corners.length > 1 && firstX === lastX && firstY === lastY) corners.pop();
  return corners;
}

function unsigned(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

const signed = (value) => unsigned(value < 0 ? -2 * value - 1 : 2 * value);

const content = Buffer.concat([
  Buffer.from(`${[version, ...timezones].join(' ')}\n`),
  Buffer.from(areaBytes(lookup, WORLD)),
]);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
};
writeFileSync(
  new URL('../libs/discovery/src/time-zones/borders.bin', import.meta.url),
  brotliCompressSync(content, { params }),
);
