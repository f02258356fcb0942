import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const entries = Object.entries(scripts);

type Locked = Readonly<{ version: string }>;
type BillOfMaterials = Readonly<{
  bomFormat: string;
  metadata: { component: { name: string } };
  components: readonly { name: string; version: string; hashes?: unknown[]; licenses?: unknown[] }[];
}>;

/** What cmd.exe does not understand, or understands differently from sh. */
const POSIX_ONLY = /['`$\\;]|^\w+=|\bexport\b|[^&]&[^&]/;

describe('npm scripts', () => {
  it.each(entries)('%s runs in cmd.exe and in sh', (_, script) => {
    expect(script).not.toMatch(POSIX_ONLY);
  });

  it('need no pre or post scripts, which npm skips with ignore-scripts', () => {
    const names = Object.keys(scripts);
    expect(names.filter((name) => names.some((other) => name === `pre${other}` || name === `post${other}`))).toEqual(
      [],
    );
  });

  it('install and build before they run built files', () => {
    const late = entries.filter(
      ([name, script]) =>
        // It reads only package-lock.json.
        name !== 'sbom' &&
        /\bdist\/|\btools\//.test(script) &&
        !/^node (?:tools\/run\.cjs|bin\/willcall\.cjs|tools\/ensure\.mjs)(?: |$)/.test(script),
    );
    expect(late).toEqual([]);
    for (const name of ['start', 'willcall', 'test', 'docs', 'bench'])
      expect(scripts[name]).toMatch(/^node (?:tools\/run|bin\/willcall)\.cjs/);
  });
});

describe('npm run sbom', () => {
  it('lists the packages that we ship, bundled ones too, with hashes and licences', () => {
    const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', shell: true });
    const { bomFormat, metadata, components } = JSON.parse(stdout) as BillOfMaterials;
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'willcall']);
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
    const versionOf = (name: string) => `${name}@${packages[`node_modules/${name}`]?.version}`;
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    expect(listed).toEqual(
      expect.arrayContaining(['bullmq', 'react', 'postal-codes-js', 'pg-protocol'].map(versionOf)),
    );
    const only = ['vitest', 'prettier', 'typescript', 'rolldown', 'vite', '@swc/core'].map(versionOf);
    expect(listed.filter((name) => only.includes(name))).toEqual([]);
    expect(components.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => name)).toEqual([]);
    const withoutLicence = components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name);
    // It says "BSD", which is no SPDX identifier.
    expect(withoutLicence).toEqual(['zipcodes']);
  });
});

describe('an old Node.js', () => {
  const stub = join(temporaryFolder('old-node'), 'stub.cjs');
  const runBy = (version: string, ...args: string[]) => {
    const versions = { ...process.versions, node: version };
    writeFileSync(stub, `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(versions)} });`);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', stub, ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it.each([['bin/willcall.cjs', 'start'], ['tools/run.cjs', 'tools/test.mjs'], ['tools/ensure.mjs']])(
    'gets one sentence from %s',
    (...args) => {
      for (const version of ['20.18.3', '18.20.8', '8.17.0']) {
        expect(runBy(version, ...args)).toEqual({
          status: 1,
          output: `Willcall needs Node.js 20.19 or newer, and this is ${version}: get one at https://nodejs.org.\n`,
        });
      }
    },
  );

  it.each(['20.19.0', '22.3.1', '100.0.0'])('is not reported for %s', (version) => {
    expect(runBy(version, 'tools/node-version.cjs')).toEqual({ status: 0, output: '' });
  });

  it.each(['bin/willcall.cjs', 'tools/run.cjs', 'tools/node-version.cjs'])('can parse %s', (path) => {
    const code = read(path).replaceAll(/^(?:\/\/|#!).*$/gm, '');
    expect(code).not.toMatch(/=>|`|\?\.|\?\?|\.\.\.|,\s*\)|\b(?:let|const|class|async|await|import|of)\b/);
  });
});
