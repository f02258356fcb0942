import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('bin');
  // Like the link of `npm link`.
  symlinkSync(join(root, 'bin/willcall.cjs'), join(folder, 'willcall'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };

function willcall(...args: string[]): Promise<Ended> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') } };
  return new Promise((done) =>
    execFile(join(folder, 'willcall'), args, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  );
}

it('runs from any folder through a link', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await willcall('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
});

it('finds files relative to the current folder', async () => {
  writeFileSync(join(folder, 'listings.dat'), '');
  expect(await willcall('listings', 'import', 'listings.dat')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--format') as string,
  });
  expect(await willcall('listings', 'import', 'none.csv')).toMatchObject({
    code: 1,
    stderr: 'There is no file none.csv.\n',
  });
});

it('does not create an installation', async () => {
  expect(await willcall('clients', 'keys', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no installation in') as string,
  });
});
