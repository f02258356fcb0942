import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');
const folder = temporaryFolder('failed-files');
afterAll(() => rmSync(folder, { recursive: true }));

/** What the reporter says of a run of these files, each with this body. */
function failedFiles(bodies: Record<string, string>): unknown {
  const report = join(folder, 'files.json');
  for (const [name, body] of Object.entries(bodies)) writeFileSync(join(folder, name), body);
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    folder,
    '--globals',
    '--reporter',
    join(root, 'tools/failed-files-reporter.mjs'),
    ...Object.keys(bodies),
  ];
  const env = { ...process.env, FAILED_FILES: report };
  spawnSync(process.execPath, args, { cwd: folder, env });
  return JSON.parse(readFileSync(report, 'utf8'));
}

it('are those with a failed test or hook, and those that do not load', () => {
  const failed = failedFiles({
    'good.test.js': `it('is', () => {}); it.skip('is not', () => {});`,
    'test.test.js': `it('is', () => {}); it('fails', () => { throw new Error('no'); });`,
    'hook.test.js': `describe('all', () => { beforeAll(() => { throw new Error('no'); }); it('is', () => {}); });`,
    'load.test.js': `throw new Error('no');`,
  });
  expect(new Set((failed as { file: string }[]).map(({ file }) => file))).toEqual(
    new Set(['test', 'hook', 'load'].map((name) => join(folder, `${name}.test.js`))),
  );
});

it('are none if something failed outside the tests', () => {
  const failed = failedFiles({
    'rejection.test.js': `it('fails', () => { void Promise.reject(new Error('no')); throw new Error('no'); });`,
  });
  expect(failed).toEqual([]);
});
