// `npm run docs`: writes what is made from the code. test/generated.spec.ts fails while it is out of date.
import 'reflect-metadata';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from '../dist/apps/api/src/docs/generated-files.js';
import { withMap } from '../dist/test/architecture/architecture-page.js';
import { LIBS } from '../dist/test/architecture/lib-map.js';

const PAGE = 'docs/architecture.md';
const page = withMap(readFileSync(new URL(`../${PAGE}`, import.meta.url), 'utf8'), LIBS);

for (const [path, text] of [...(await generatedFiles()), [PAGE, page]]) {
  const file = new URL(`../${path}`, import.meta.url);
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, text);
}
