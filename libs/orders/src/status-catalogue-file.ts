import { readFileSync } from 'node:fs';
import { parseStatusCatalogue } from '#base/status-catalogue-file.contract';
import type { StatusCatalogue, StatusCatalogueFile } from '#domain/status-catalogue';
import { parseJson } from '#base/json';

const BUILT_IN = new URL(import.meta.resolve('#domain/status-catalogue').replace(/\.[jt]s$/, '.json'));

/** The JSON value of the built-in catalogue's file. */
export function builtInCatalogueFile(): StatusCatalogueFile {
  return parseJson(readFileSync(BUILT_IN, 'utf8')) as StatusCatalogueFile;
}

/** Without a file, the built-in catalogue. @throws Error that lists all errors of the file */
export function loadStatusCatalogue(file?: string): StatusCatalogue {
  const text = readFileSync(file ?? BUILT_IN, 'utf8');
  try {
    return parseStatusCatalogue(parseJson(text));
  } catch (error) {
    throw new Error(`${file ?? 'the built-in status catalogue'}: ${(error as Error).message}`, { cause: error });
  }
}
