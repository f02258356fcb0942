// `npm run docs`: writes what is made from the code. test/generated.spec.ts fails while it is out of date.
import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from '../dist/apps/api/src/docs/generated-files.js';

for (const [path, text] of await generatedFiles()) {
  const file = new URL(`../${path}`, import.meta.url);
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, text);
}
