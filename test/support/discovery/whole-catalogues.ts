import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportedFile } from '#catalogue/catalogue-import';
import type { Ground } from './catalogue-model.js';
import { catalogueSet } from './generated-catalogue.js';

/** In the order in which they need each other. */
export const KINDS = ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const;

/** Some 800 events as a real service shows them. They are not ours to pass on: where they are not, what is tested over them is skipped. */
export const RECORDED = '/work/shared/catalogue';
export const isRecorded = existsSync(RECORDED);

export const recordedFile = (file: ImportedFile): string => join(RECORDED, `${file}.jsonl`);

export function recordedDocuments<Document>(file: ImportedFile): Document[] {
  const lines = readFileSync(recordedFile(file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Document);
}

export function recordedGround(): Ground {
  return Object.fromEntries(KINDS.map((kind) => [kind, recordedDocuments(kind)])) as unknown as Ground;
}

/** The same for the same seed and size. */
export function madeUpGround(size: Parameters<typeof catalogueSet>[0]): Ground {
  const set = catalogueSet(size);
  return { ...set, events: [...set.events()] };
}
