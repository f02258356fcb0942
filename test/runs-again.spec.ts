import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { judgeRunsAgain } from '../tools/runs-again.mjs';
import { temporaryFolder } from './support/temporary-folder.js';

let folder: string;
const judge = (...files: string[]) => judgeRunsAgain(files, join(folder, 'record.json'));

beforeEach(() => {
  folder = temporaryFolder('runs-again');
  vi.spyOn(console, 'log').mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('A file may need to run again once, and is named and counted', () => {
  expect(judge('test/a.int-spec.ts', 'test/b.int-spec.ts')).toBe(0);
  expect(console.log).toHaveBeenCalledWith(expect.stringMatching(/2 passed only when run again.*test\/a.*test\/b/s));
});

it('The same file in two runs in a row fails the second', () => {
  judge('test/a.int-spec.ts');
  expect(judge('test/b.int-spec.ts', 'test/a.int-spec.ts')).toBe(1);
  expect(console.log).toHaveBeenLastCalledWith(expect.stringMatching(/last run too.*test\/a\.int-spec\.ts$/));
});

it('A run without it in between forgives', () => {
  judge('test/a.int-spec.ts');
  expect(judge()).toBe(0);
  expect(judge('test/a.int-spec.ts')).toBe(0);
});
