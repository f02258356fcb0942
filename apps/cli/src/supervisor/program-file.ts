import { fileURLToPath } from 'node:url';

/** The file of a program that tools/bundle.mjs makes. */
export function programFile(name: 'api' | 'worker' | 'first-postal-codes' | 'requested-rebuilds'): string {
  return fileURLToPath(new URL(`../../../../programs/${name}.js`, import.meta.url));
}
