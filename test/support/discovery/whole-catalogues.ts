import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportedFile } from '#discovery/catalogue-import';
import type { CatalogueDocuments } from './catalogue-model.js';
import { generateCatalogue } from './generated-catalogue.js';

/** In the order of their references. */
export const KINDS = ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const;

/** About 800 recorded events of a real service. We may not distribute them; without them, tests that need them are skipped. */
export const RECORDED = '/work/shared/catalogue';
export const isRecorded = existsSync(RECORDED);

export const recordedFile = (file: ImportedFile): string => join(RECORDED, `${file}.jsonl`);

export function recordedDocuments<Document>(file: ImportedFile): Document[] {
  const lines = readFileSync(recordedFile(file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Document);
}

export function recordedCatalogue(): CatalogueDocuments {
  return Object.fromEntries(KINDS.map((kind) => [kind, recordedDocuments(kind)])) as unknown as CatalogueDocuments;
}

export function generatedCatalogue(size: Parameters<typeof generateCatalogue>[0]): CatalogueDocuments {
  const set = generateCatalogue(size);
  return { ...set, events: [...set.events()] };
}
