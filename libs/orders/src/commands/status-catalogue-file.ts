import { readFileSync } from 'node:fs';
import { parseStatusCatalogue } from '#contracts/status-catalogue-file';
import type { StatusCatalogue } from '#domain/order/status-catalogue';

const BUILT_IN = new URL(import.meta.resolve('#domain/order/status-catalogue').replace(/\.[jt]s$/, '.json'));

/** Loads the integration's status catalogue, or the built-in one. @throws Error that lists all its errors. */
export function loadStatusCatalogue(file?: string): StatusCatalogue {
  const text = readFileSync(file ?? BUILT_IN, 'utf8');
  try {
    return parseStatusCatalogue(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file ?? 'the built-in status catalogue'}: ${(error as Error).message}`, { cause: error });
  }
}
