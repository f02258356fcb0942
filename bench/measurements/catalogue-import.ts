import { SystemClock } from '#base/clock';
import { Catalogue } from '#discovery/catalogue';
import { CatalogueImport, type ImportedFile } from '#discovery/catalogue-import';
import { PostalCodes } from '#discovery/postal-codes';
import { BulkCatalogue, WHOLE_CATALOGUE } from '../setup/bulk-catalogue.js';
import { createDatabase } from '../setup/database.js';
import type { Measurement } from '../measurement.js';

// A second round would add to a full table, so there is only one. A quick run imports only a part.
const QUICK_SHARE = 0.02;

/** Imports a catalogue into an empty database, as `willcall catalogue import` does. The lines are generated before. */
export const catalogueImport: Measurement = {
  name: 'catalogue-import',
  about: 'import of a catalogue of 200,000 events',
  async run({ quick, say }) {
    const files = filesOf(quick ? QUICK_SHARE : 1);
    const database = await createDatabase();
    try {
      const catalogue = new Catalogue(database.owner, new SystemClock());
      const importing = new CatalogueImport(catalogue, new PostalCodes(database.owner));
      const began = performance.now();
      const used = process.cpuUsage();
      const reports = await importing.run(async (file) => files.get(file) && stream(files.get(file) ?? []));
      const seconds = (performance.now() - began) / 1_000;
      const { user, system } = process.cpuUsage(used);
      const documents = reports.reduce((sum, { imported }) => sum + imported, 0);
      if (reports.some(({ failed }) => failed > 0)) throw new Error('A line of the bench was refused.');
      say(`${documents} documents in ${seconds.toFixed(1)} s`);
      const detail = `${documents} documents, ${Math.round((user + system) / documents)} µs of Node each`;
      return [
        {
          name: 'Import of a catalogue',
          value: documents / seconds,
          unit: 'a second',
          target: { atLeast: 5_000 },
          detail,
        },
      ];
    } finally {
      await database.remove();
    }
  },
};

/** One buffer for each line, because the whole text of half a gigabyte would be too long for a string. */
function filesOf(share: number): Map<ImportedFile, readonly Buffer[]> {
  const { events, performers, venues } = WHOLE_CATALOGUE;
  const size = { events: events * share, performers: performers * share, venues: venues * share };
  const catalogue = new BulkCatalogue(size);
  const pieces = (lines: Iterable<object>) => [...lines].map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
  return new Map([
    ['taxonomies', pieces(catalogue.taxonomies)],
    ['genres', pieces(catalogue.genres)],
    ['venues', pieces(catalogue.venues)],
    ['performers', pieces(catalogue.performers)],
    ['events', pieces(catalogue.events())],
  ]);
}

const LINES_A_CHUNK = 64;

async function* stream(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < pieces.length; from += LINES_A_CHUNK) {
    yield Buffer.concat(pieces.slice(from, from + LINES_A_CHUNK));
  }
}
