import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { copyPackage } from './postgres-binaries.js';

let folder: string;
beforeEach(() => (folder = temporaryFolder('binaries')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// No system has such a process.
const DEAD = 2 ** 31 - 1;

it('a copy of the programs replaces the unfinished copy of a killed process, and nothing else', () => {
  const [installed, copies] = [join(folder, 'installed'), join(folder, 'copies')];
  const others = ['postgres-17.2.0-beta.9', `postgres-18.4.0-beta.17.${process.ppid}`, 'postgres-18.4.0-beta.17.txt'];
  const begun = `postgres-18.4.0-beta.17.${DEAD}`;
  for (const name of [...others, begun]) mkdirSync(join(copies, name, 'native'), { recursive: true });
  mkdirSync(join(installed, 'native/bin'), { recursive: true });
  writeFileSync(join(installed, 'native/bin/postgres'), 'a program');

  copyPackage(installed, copies, join(copies, 'postgres-18.4.0-beta.17'));
  expect(readdirSync(copies).toSorted()).toEqual([...others, 'postgres-18.4.0-beta.17'].toSorted());
  expect(readdirSync(join(copies, 'postgres-18.4.0-beta.17/native/bin'))).toEqual(['postgres']);
});
