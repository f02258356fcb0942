import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listingBody } from '../../../test/support/listing-body.js';
import { ListingImport } from './listing-import.js';
import type { Listings } from './listings.js';

const NEWLINE = 0x0a;

/** An import that writes nothing. `written` are the ids in the order of the writes. */
function recorded(): { listingImport: ListingImport; written: string[] } {
  const written: string[] = [];
  const putAll: Listings['putAll'] = async (listings) => {
    written.push(...listings.map(({ id }) => id));
    return new Set();
  };
  return { listingImport: new ListingImport({ putAll } as Listings), written };
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const garbage = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => bytes.filter((byte) => byte !== NEWLINE));

describe('an import of hostile bytes', () => {
  it('finds every valid line among any others', async () => {
    const lines = fc.array(fc.oneof(garbage, fc.constant('good')), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 700 }), async (mixed, size) => {
        const { listingImport, written } = recorded();
        const good = mixed.flatMap((line, index) => (line === 'good' ? [`lst-${index}`] : []));
        const bytes = mixed.map((line, index) =>
          line === 'good'
            ? Buffer.from(JSON.stringify({ listing_id: `lst-${index}`, ...listingBody() }))
            : (line as Uint8Array),
        );
        const file = Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\n')]));
        const report = await listingImport.run('jsonl', chunksOf(file, size));
        expect(written).toEqual(good);
        expect(report.imported).toBe(good.length);
        expect(report.errors).toHaveLength(report.failed);
      }),
    );
  });

  it('never fails as a whole, whatever a CSV file contains', async () => {
    const piece = fc.oneof(
      garbage,
      fc.constantFrom('listing_id,notes\n', '"', '\n', ',', '\r').map((s) => Buffer.from(s)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { listingImport } = recorded();
        const report = await listingImport.run('csv', chunksOf(Buffer.concat(pieces), 50));
        expect(report.imported).toBe(0);
      }),
    );
  });
});
