import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LONGEST, LongestFirst } from './support/longest-first.js';

const PROJECT = { name: 'e2e', config: { sequence: { groupOrder: 3 } } };
const NO_CACHE = { getFileTestResults: () => undefined, getFileStats: () => undefined };
const root = resolve(import.meta.dirname, '..');

it('the files of the list exist', () => {
  expect(LONGEST.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

it('the longest files start first, and the others as in Vitest', async () => {
  const file = (path: string) => ({ moduleId: `${root}/${path}`, project: PROJECT }) as TestSpecification;
  const sequencer = new LongestFirst({ cache: NO_CACHE, config: { root } } as unknown as Vitest);
  const others = ['test/bin.e2e-spec.ts', 'test/rush.e2e-spec.ts'];
  const sorted = await sequencer.sort([...others, ...LONGEST.toReversed()].map(file));
  expect(sorted.map(({ moduleId }) => moduleId.slice(root.length + 1))).toEqual([...LONGEST, ...others]);
});
