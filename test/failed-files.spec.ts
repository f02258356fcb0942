import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');
const folder = temporaryFolder('failed-files');
afterAll(() => rmSync(folder, { recursive: true }));

const FAILS = `it('fails', () => { throw new Error('no'); });`;
const PASSES = `it('passes', () => {});`;
// As a test that has too little of the processor while others run.
const FAILS_ONCE = `import { existsSync, writeFileSync } from 'node:fs';
  it('fails once', () => {
    const seen = import.meta.filename + '.seen';
    if (existsSync(seen)) return;
    writeFileSync(seen, '');
    throw new Error('no');
  });`;

const CONFIG = `export default { test: { projects: ['unit', 'int', 'e2e'].map((name) => (
  { test: { name, include: [name + '-*.test.js'], globals: true } })) } };`;

/** A project with these files, each with this body. */
function projectOf(name: string, bodies: Record<string, string>): string {
  const project = join(folder, name);
  mkdirSync(project);
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'vitest.config.mjs'), CONFIG);
  for (const [file, body] of Object.entries(bodies)) writeFileSync(join(project, file), body);
  return project;
}

describe('the reporter names', () => {
  function failedFiles(name: string, bodies: Record<string, string>): string[] {
    const cwd = projectOf(name, bodies);
    const report = join(cwd, 'files.json');
    const reporter = join(root, 'tools/failed-files-reporter.mjs');
    const env = { ...process.env, FAILED_FILES: report };
    spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--reporter', reporter], { cwd, env });
    return (JSON.parse(readFileSync(report, 'utf8')) as { file: string }[]).map(({ file }) =>
      file.slice(cwd.length + 1),
    );
  }

  it('files with a failed test or hook, and those that do not load', () => {
    const failed = failedFiles('kinds', {
      'unit-good.test.js': PASSES,
      'unit-test.test.js': PASSES + FAILS,
      'unit-hook.test.js': `describe('all', () => { beforeAll(() => { throw new Error('no'); }); ${PASSES} });`,
      'unit-load.test.js': `throw new Error('no');`,
    });
    expect(failed.toSorted()).toEqual(['unit-hook.test.js', 'unit-load.test.js', 'unit-test.test.js']);
  });

  it('none if something failed outside the tests', () => {
    const outside = `it('fails', () => { void Promise.reject(new Error('no')); throw new Error('no'); });`;
    expect(failedFiles('outside', { 'unit-rejection.test.js': outside })).toEqual([]);
  });
});

describe('npm test', () => {
  function npmTest(name: string, bodies: Record<string, string>) {
    const cwd = projectOf(name, bodies);
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'tools/test.mjs')], { cwd, encoding: 'utf8' });
    return { status, again: stdout.match(/\S+ failed and runs again, alone/g) ?? [], output: stdout };
  }

  it('passes if a file that failed passes alone, and names it', () => {
    const { status, again, output } = npmTest('once', { 'unit-good.test.js': PASSES, 'int-once.test.js': FAILS_ONCE });
    expect({ status, again }).toEqual({ status: 0, again: ['int-once.test.js failed and runs again, alone'] });
    expect(output).toMatch(/1 passed only when run again, alone .*: int-once\.test\.js\n$/);
  });

  it('fails if it fails again', () => {
    const { status, again, output } = npmTest('twice', { 'int-once.test.js': FAILS_ONCE, 'unit-bad.test.js': FAILS });
    expect(status).toBe(1);
    expect(again).toContain('unit-bad.test.js failed and runs again, alone');
    expect(output).not.toContain('Passed alone');
  });

  it('runs nothing again if more than five files failed', () => {
    const six = Object.fromEntries([1, 2, 3, 4, 5, 6].map((number) => [`unit-${number}.test.js`, FAILS_ONCE]));
    expect(npmTest('many', six)).toMatchObject({ status: 1, again: [] });
  });
});
