import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { closeDataFolder, makeDataFolder } from './data-folder.js';

let folder: string;
beforeEach(() => (folder = temporaryFolder('data-folder')));
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

it('is made for its owner alone, with what is missing above it', () => {
  const path = join(folder, 'new', 'data');
  makeDataFolder(path);
  makeDataFolder(path);
  expect([modeOf(path), modeOf(join(folder, 'new'))]).toEqual(['700', '700']);
});

it.each([
  [0o755, '700'],
  [0o770, '700'],
  [0o500, '500'],
  [0o1777, '1777'],
])('one with the mode %i is closed', (mode, closed) => {
  const path = join(folder, 'data');
  mkdirSync(path);
  chmodSync(path, mode);
  closeDataFolder(path);
  expect(modeOf(path)).toBe(closed);
});

it('one that is not there is not made', () => {
  const path = join(folder, 'data');
  closeDataFolder(path);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});
