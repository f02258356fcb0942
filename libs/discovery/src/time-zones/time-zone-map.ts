import { brotliDecompressSync } from 'node:zlib';
import { NumberReader } from './number-reader.js';

/** Corners of borders are whole numbers of these: 22 m from north to south, and at most as much from west to east. */
export const STEPS_PER_DEGREE = 5_000;

/** How tools/time-zone-borders.mjs writes an area: by this number, and then what it says. */
export const AREA = {
  /** Its quarters: north-east, north-west, south-west, south-east. */
  quarters: 0,
  /** The number of its zone. */
  whole: 1,
  /** The zone of what is in no shape, the bytes of the shapes, and the shapes: zone, number of rings, and each ring's number of corners and corners. */
  shapes: 2,
} as const;

/** The number of the zone that a sea without a zone has. */
const SEA = 0;

type Bounds = Readonly<{ top: number; bottom: number; left: number; right: number }>;
type Area =
  | Readonly<{ quarters: readonly Area[] }>
  | Readonly<{ zone: number }>
  | Readonly<{ otherwise: number; start: number; end: number }>;

// So geo-tz divides the world.
const WORLD: Bounds = { top: 89.9999, bottom: -89.9999, left: -179.9999, right: 179.9999 };

/** Which time zone is where: squares in squares, and the borders in those through which borders go. */
export class TimeZoneMap {
  private constructor(
    /** Of which geo-tz it was made. */
    readonly version: string,
    private readonly zones: readonly string[],
    private readonly numbers: Buffer,
    private readonly world: Area,
  ) {}

  /** @param file what tools/time-zone-borders.mjs writes */
  static read(file: Buffer): TimeZoneMap {
    const content = brotliDecompressSync(file);
    const headEnd = content.indexOf('\n');
    const [version = '', ...zones] = content.toString('utf8', 0, headEnd).split(' ');
    const numbers = content.subarray(headEnd + 1);
    return new TimeZoneMap(version, zones, numbers, areaOf(new NumberReader(numbers)));
  }

  /** The name of the zone. At sea it may be one without a place: `Etc/GMT+3`. @param lat in degrees, like `lon` */
  zoneAt(lat: number, lon: number): string {
    const [y, x] = [within(lat, WORLD.bottom, WORLD.top), within(lon, WORLD.left, WORLD.right)];
    let [area, bounds]: [Area | undefined, Bounds] = [this.world, WORLD];
    while (area && 'quarters' in area) {
      const quarter = quarterOf(bounds, y, x);
      bounds = quarter.bounds;
      area = area.quarters[quarter.index];
    }
    const zone = area === undefined ? SEA : 'zone' in area ? area.zone : this.#shapeAt(area, inSteps(bounds, y, x));
    return zone === SEA ? zoneOfSea(x) : (this.zones[zone - 1] ?? '');
  }

  #shapeAt({ otherwise, start, end }: Extract<Area, { otherwise: number }>, [y, x]: readonly [number, number]): number {
    const reader = new NumberReader(this.numbers, start);
    while (reader.at < end) {
      const zone = reader.next();
      if (isInShape(reader, y, x)) return zone;
    }
    return otherwise;
  }
}

function areaOf(reader: NumberReader): Area {
  const kind = reader.next();
  if (kind === AREA.quarters) return { quarters: Array.from({ length: 4 }, () => areaOf(reader)) };
  const zone = reader.next();
  if (kind === AREA.whole) return { zone };
  const bytes = reader.next();
  const start = reader.at;
  reader.at += bytes;
  return { otherwise: zone, start, end: reader.at };
}

function quarterOf({ top, bottom, left, right }: Bounds, y: number, x: number) {
  const [midY, midX] = [(top + bottom) / 2, (left + right) / 2];
  const [isNorth, isEast] = [y >= midY, x >= midX];
  const bounds = {
    ...(isNorth ? { top, bottom: midY } : { top: midY, bottom }),
    ...(isEast ? { left: midX, right } : { left, right: midX }),
  };
  return { bounds, index: isNorth ? (isEast ? 0 : 1) : isEast ? 3 : 2 };
}

/** A corner on the edge of a square was rounded too: a place beyond it moves to just inside. */
function inSteps({ top, bottom, left, right }: Bounds, y: number, x: number): [number, number] {
  const inside = (at: number, from: number, to: number) => {
    const [first, last] = [Math.round(from * STEPS_PER_DEGREE), Math.round(to * STEPS_PER_DEGREE)];
    return within(at * STEPS_PER_DEGREE, first + 0.25, last - 0.25);
  };
  return [inside(y, bottom, top), inside(x, left, right)];
}

/** Whether a line from there to the east crosses the rings an odd number of times. Each corner is given as seen from the one before. */
function isInShape(reader: NumberReader, y: number, x: number): boolean {
  let isInside = false;
  let [cornerX, cornerY] = [0, 0];
  for (let rings = reader.next(); rings > 0; rings--) {
    const corners = reader.next();
    const [firstX, firstY] = [(cornerX += reader.signed()), (cornerY += reader.signed())];
    for (let corner = 1; corner <= corners; corner++) {
      const isLast = corner === corners;
      const nextX = isLast ? firstX : cornerX + reader.signed();
      const nextY = isLast ? firstY : cornerY + reader.signed();
      const isCrossed =
        cornerY > y !== nextY > y && x < ((nextX - cornerX) * (y - cornerY)) / (nextY - cornerY) + cornerX;
      if (isCrossed) isInside = !isInside;
      [cornerX, cornerY] = [nextX, nextY];
    }
  }
  return isInside;
}

function zoneOfSea(lon: number): string {
  const hoursEast = Math.round(lon / 15);
  if (hoursEast === 0) return 'Etc/GMT';
  return hoursEast > 0 ? `Etc/GMT-${hoursEast}` : `Etc/GMT+${-hoursEast}`;
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
