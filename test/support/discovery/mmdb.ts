import { writeFileSync } from 'node:fs';

type Value = string | number | Readonly<{ [key: string]: Value }> | readonly Value[];

/**
 * Writes an mmdb file (MaxMind DB 2.0). Addresses below 128.0.0.0 have the data `lower`, all others have none. The tree has one node,
 * whose left record points to the only data.
 */
export function writeMmdb(file: string, lower: Value): void {
  const nodes = 1;
  // A record above the number of nodes is an offset into the data, after 16 zero bytes. A record equal to it means no data.
  const tree = Buffer.concat([whole(nodes + 16, 3), whole(nodes, 3)]);
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_764_000_000,
    database_type: 'Willcall-Test-City',
    description: { en: 'One place' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes,
    record_size: 24,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  writeFileSync(file, Buffer.concat([tree, Buffer.alloc(16), encoded(lower), marker, metadata]));
}

const whole = (value: number, bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 255));

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number' && Number.isInteger(value)) return Buffer.concat([control(6, 4), whole(value, 4)]);
  if (typeof value === 'number') {
    const double = Buffer.alloc(8);
    double.writeDoubleBE(value);
    return Buffer.concat([control(3, 8), double]);
  }
  // An array's type, 11, does not fit in three bits: write 0, and 11 - 7 in the next byte.
  if (isList(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encoded)]);
  const pairs = Object.entries(value).flatMap(([key, inner]) => [encoded(key), encoded(inner)]);
  return Buffer.concat([control(7, pairs.length / 2), ...pairs]);
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const control = (type: number, size: number) => Buffer.from([(type << 5) | size]);
