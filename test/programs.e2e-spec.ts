import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'dist/programs');
const read = (file: string) => readFileSync(file, 'utf8');
const filesOf = (ending: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => read(join(folder, name)));

const packageOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

/** Packages with code in the bundles. */
function bundled(): Set<string> {
  const sources = filesOf('.map').flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources);
  const paths = sources.filter((source) => source.includes('/node_modules/'));
  return new Set(
    paths.map((path) => packageOf(path.slice(path.lastIndexOf('/node_modules/') + '/node_modules/'.length))),
  );
}

/** Installed packages that the bundles load from node_modules, with all that these need. */
function loaded(): Set<string> {
  const code = filesOf('.js').join('\n');
  // ajv has the text of such calls in strings.
  const calls = [...code.matchAll(/(?<!['"`\w$.])(?:require|import)\("([^."][^"]*)"\)/g)];
  const { peerDependencies } = JSON.parse(read(join(root, 'package.json'))) as { peerDependencies: object };
  const names = calls.map(([, name]) => packageOf(name ?? ''));
  // Who takes payments by a provider adds its package.
  const found = new Set(names.filter((name) => !Object.hasOwn(peerDependencies, name)));
  for (const name of found) {
    const manifest = join(root, 'node_modules', name, 'package.json');
    // A built-in module wins over a package of its name.
    if (builtinModules.includes(name) || !existsSync(manifest)) found.delete(name);
    else for (const other of dependenciesIn(manifest)) found.add(other);
  }
  return found;
}

function dependenciesIn(manifest: string): string[] {
  return Object.keys((JSON.parse(read(manifest)) as { dependencies?: object }).dependencies ?? {});
}

describe('the bundled programs', () => {
  it('load no package twice', () => {
    const inBundles = bundled();
    expect([...inBundles]).toEqual(expect.arrayContaining(['@nestjs/core', 'bullmq', 'pg', 'typeorm']));
    expect([...loaded()]).toEqual(expect.arrayContaining(['reflect-metadata', 'zipcodes']));
    expect([...loaded()].filter((name) => inBundles.has(name))).toEqual([]);
  });

  it('contain no packages that only tests and tools need', () => {
    const { devDependencies } = JSON.parse(read(join(root, 'checks/package.json'))) as { devDependencies: object };
    // Fastify needs these two as well.
    const names = Object.keys(devDependencies).filter((name) => !['ajv', 'ajv-formats'].includes(name));
    expect(names).toContain('vitest');
    const inBundles = bundled();
    expect(names.filter((name) => inBundles.has(name))).toEqual([]);
  });
});

describe('the code that V8 compiled of them', () => {
  it.each(['api', 'worker', 'willcall'])('is there of each file that %s loads first, and V8 takes it', (program) => {
    const script = `
      const { load, filesLoaded } = require('./load.cjs');
      process.argv.push('migrate', '--help');
      process.once('exit', () => require('node:fs').writeSync(2, '\\n' + JSON.stringify(filesLoaded())));
      load('./${program}.main.js');`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: folder, env: {}, encoding: 'utf8' });
    const files = JSON.parse(stderr.split('\n').at(-1) ?? '') as { request: string; isFromKeptCode: boolean }[];
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(({ isFromKeptCode }) => !isFromKeptCode)).toEqual([]);
  });
});

describe('the console', () => {
  it('is built for production, although a run of the tests may have built it', () => {
    const assets = join(root, 'dist/console/assets');
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
    expect(scripts).not.toEqual([]);
    // React for development names the source of each element.
    expect(scripts.filter((name) => read(join(assets, name)).includes('/apps/console/src/'))).toEqual([]);
  });
});
