import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { Catalogue } from '#discovery/catalogue';
import { CatalogueImport, type FileReport, IMPORTED_FILES, type ImportedFile } from '#discovery/catalogue-import';
import { Popularity } from '#discovery/popularity';
import { PostalCodes } from '#discovery/postal-codes';
import { loadSettings } from '#base/load-settings';
import { SystemClock } from '#base/clock';
import { recordChange } from './audit.js';
import { count, ProgressLine } from './terminal/progress-line.js';
import { UserError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

const MAX_ERRORS_PRINTED = 20;

/** `catalogue import`: imports a folder of JSON lines. Exit code 1 if a line is invalid. */
export function catalogueCommand(use: UsePool = poolFor('catalogue import')): Command {
  const importCommand = new Command('import')
    .description('writes or replaces the documents of a folder; reports invalid lines and imports the rest')
    .argument('<folder>', `with any of ${IMPORTED_FILES.map((name) => `${name}.jsonl`).join(', ')}`)
    .action(async (folder: string) => {
      const sizes = await sizesIn(folder);
      const line = new ProgressLine();
      const began = performance.now();
      const reports = await use(async (pool) => {
        const clock = new SystemClock();
        const catalogue = new Catalogue(pool, clock);
        const run = new CatalogueImport(catalogue, new PostalCodes(pool));
        const done = await run.run(
          async (file) => (sizes.has(file) ? (await open(pathOf(folder, file))).createReadStream() : undefined),
          (soFar, bytes) => line.show(progress(soFar, bytes, sizes, performance.now() - began)),
        );
        await recordChange(pool, 'catalogue.imported', 'catalogue');
        await new Popularity(pool, clock, loadSettings()).refresh();
        return done;
      }).finally(() => line.clear());
      print(reports, (performance.now() - began) / 1_000);
      if (reports.some(({ failed }) => failed > 0)) process.exitCode = 1;
    });
  return new Command('catalogue').description('the events that discovery shows').addCommand(importCommand);
}

const pathOf = (folder: string, file: ImportedFile) => join(folder, `${file}.jsonl`);

/** The sizes of the existing files. Checked before the database starts, so that a mistyped name starts nothing. */
async function sizesIn(folder: string): Promise<Map<ImportedFile, number>> {
  const sizes = new Map<ImportedFile, number>();
  for (const file of IMPORTED_FILES) {
    const path = pathOf(folder, file);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) continue;
    await access(path, constants.R_OK).catch(() => {
      throw new UserError(`${path} cannot be read.`);
    });
    sizes.set(file, found.size);
  }
  if (sizes.size > 0) return sizes;
  throw new UserError(
    `There is none of the files ${IMPORTED_FILES.map((name) => `${name}.jsonl`).join(', ')} in ${folder}.`,
  );
}

const BAR_WIDTH = 20;

function progress(soFar: FileReport, bytes: number, sizes: ReadonlyMap<ImportedFile, number>, ms: number): string {
  const share = bytes / Math.max(sizes.get(soFar.file) ?? 0, bytes, 1);
  const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
  const failed = soFar.failed > 0 ? `, ${count(soFar.failed)} failed` : '';
  return `${soFar.file} ${bar} ${count(soFar.imported)} imported${failed}, ${Math.floor(ms / 1_000)} s`;
}

function print(reports: readonly FileReport[], seconds: number): void {
  for (const { file, imported, failed, errors } of reports) {
    console.log(`${file}: ${count(imported)} imported, ${count(failed)} failed`);
    for (const { line, message } of errors.slice(0, MAX_ERRORS_PRINTED)) {
      console.error(`${file}.jsonl line ${line}: ${message}`);
    }
    if (failed > MAX_ERRORS_PRINTED) console.error(`and ${count(failed - MAX_ERRORS_PRINTED)} more`);
  }
  const all = reports.reduce((sum, { imported }) => sum + imported, 0);
  console.log(`${count(all)} documents in ${seconds.toFixed(1)} s, ${count(all / seconds)} a second`);
}
