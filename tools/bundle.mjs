// Bundles the programs that run as processes, with their packages, from the output of tools/compile.mjs into dist/programs
// (docs/decisions/programs-are-bundled.md). `dist` itself stays as swc wrote it.
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { copyVendoredFiles, vendoredFolder } from './vendored-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TO_ROOT = '../../';

const LEFT_IN_NODE_MODULES = [
  // Must run before all decorators. In a chunk it would run with the first module that imports it.
  'reflect-metadata',
  // Native.
  '@node-rs/argon2',
  'msgpackr-extract',
  'pg-native',
  // Loads its files by eval('require').
  'postal-codes-js',
  // 7 MB of data, loaded on demand.
  'zipcodes',
  // Installed only where payments are taken by these providers.
  'stripe',
  'braintree',
  // And only where something is sent to such brokers.
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  'amqplib',
  // Installed only where traces are recorded.
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
];

// The source maps lead to the TypeScript sources, because they continue those of swc.
const sourceMapsOfSwc = {
  name: 'source-maps-of-swc',
  load: {
    filter: { id: /[\\/]dist[\\/](?:apps|libs)[\\/].+\.js$/ },
    handler: (id) =>
      existsSync(`${id}.map`)
        ? { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
        : undefined,
  },
};

// pg makes a Response to find out whether it runs at Cloudflare. Node.js then loads its whole fetch, in each process.
const noFetchForPg = {
  name: 'no-fetch-for-pg',
  transform: {
    filter: { id: /[\\/]pg[\\/]lib[\\/]stream\.js$/ },
    handler(code) {
      const changed = code.replace("typeof Response === 'function'", 'false');
      if (changed === code) throw new Error('pg looks for Cloudflare in another way: see noFetchForPg');
      return { code: changed, map: null };
    },
  },
};

const PATHS = 'original-paths';
const LOCATION = /\bimport\.meta\.(url|dirname|filename|resolve)\b|\b__(dirname|filename)\b/;

// `import.meta.url`, `__dirname` and so on keep naming the original file.
const originalLocations = {
  name: 'original-locations',
  resolveId: { filter: { id: new RegExp(`^${PATHS}$`) }, handler: (id) => ({ id: `\0${id}` }) },
  load: {
    filter: { id: new RegExp(`^\0${PATHS}$`) },
    handler: () => `
      import { createRequire } from 'node:module';
      import { fileURLToPath, pathToFileURL } from 'node:url';
      const { resolve: fileOf } = createRequire(import.meta.url);
      export const resolve = (specifier) => pathToFileURL(fileOf(specifier)).href;
      export const urlOf = (path) => new URL(\`${TO_ROOT}\${path}\`, import.meta.url).href;
      export const pathOf = (path) => fileURLToPath(urlOf(path));`,
  },
  transform: {
    filter: { id: { exclude: new RegExp('^\0') }, code: LOCATION },
    handler(code, id) {
      const file = relative(root, id).split(sep).join('/');
      const folder = vendoredFolder(file.slice(0, file.lastIndexOf('/')));
      const names = {
        'import.meta.resolve': '__originals.resolve',
        'import.meta.url': `__originals.urlOf(${JSON.stringify(file)})`,
        'import.meta.filename': `__originals.pathOf(${JSON.stringify(file)})`,
        'import.meta.dirname': `__originals.pathOf(${JSON.stringify(folder)})`,
        __filename: `require(${JSON.stringify(PATHS)}).pathOf(${JSON.stringify(file)})`,
        __dirname: `require(${JSON.stringify(PATHS)}).pathOf(${JSON.stringify(folder)})`,
      };
      const found = locationsIn(this.parse(code)).toSorted((a, b) => b.start - a.start);
      if (found.length === 0) return undefined;
      const isModule = found.some(({ name }) => name.startsWith('import.meta'));
      let changed = code;
      for (const { name, start, end } of found) {
        // A module may declare a __dirname of its own.
        if (isModule === name.startsWith('import.meta'))
          changed = changed.slice(0, start) + names[name] + changed.slice(end);
      }
      // No new line, so that the source map stays right.
      if (isModule) changed = `import * as __originals from ${JSON.stringify(PATHS)};${changed}`;
      return { code: changed, map: null };
    },
  },
};

function locationsIn(node) {
  if (Array.isArray(node)) return node.flatMap(locationsIn);
  if (node === null || typeof node !== 'object') return [];
  const { type, start, end } = node;
  if (type === 'Identifier' && /^__(dirname|filename)$/.test(node.name)) return [{ name: node.name, start, end }];
  if (type === 'MemberExpression' && node.object.type === 'MetaProperty' && !node.computed) {
    const name = `import.meta.${node.property.name}`;
    return LOCATION.test(name) ? [{ name, start, end }] : [];
  }
  return Object.values(node).flatMap(locationsIn);
}

/** Bundles the compiled programs of an installation, or those that only tests start, into dist. The folder appears whole, or not at all. */
export async function bundle(kind) {
  const programs = JSON.parse(readFileSync(`${root}tools/programs.json`, 'utf8'))[kind];
  if (kind === 'programs') copyVendoredFiles();
  const folder = `dist/${kind}`;
  // Beside it, so that paths to the root stay the same.
  const unfinished = `${folder}.${process.pid}`;
  await build({
    cwd: root,
    platform: 'node',
    input: { ...programs, 'warm-up': 'tools/warm-up.mjs' },
    external: LEFT_IN_NODE_MODULES,
    plugins: [sourceMapsOfSwc, noFetchForPg, originalLocations],
    // NestJS and TypeORM try to load packages that are not installed.
    checks: { unresolvedImport: false, eval: false, bundlerTimings: false },
    output: {
      dir: unfinished,
      // Functions, which tools/program-loader.cjs calls: Node.js 20 cannot keep the compiled code of ES modules.
      format: 'cjs',
      strict: true,
      postBanner: '(function (exports, require, module, __filename) {',
      postFooter: '})',
      // Node.js 20 warns of import() in such functions.
      dynamicImportInCjs: false,
      entryFileNames: '[name].main.js',
      cleanDir: true,
      comments: false,
      // NestJS, TypeORM and the log use the names of classes.
      keepNames: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
  escapeWideCharacters(`${root}${unfinished}`);
  copyFileSync(`${root}tools/program-loader.cjs`, `${root}${unfinished}/load.cjs`);
  for (const name of Object.keys(programs)) {
    const lines = [
      '#!/usr/bin/env node',
      `import { load } from './load.cjs';`,
      `await load('./${name}.main.js').ended;`,
      '',
    ];
    writeFileSync(`${root}${unfinished}/${name}.js`, lines.join('\n'));
  }
  rmSync(`${root}${folder}`, { recursive: true, force: true });
  renameSync(`${root}${unfinished}`, `${root}${folder}`);
}

// V8 keeps the text of a program as long as it runs, and needs two bytes for each character if one of them does not fit into one.
function escapeWideCharacters(folder) {
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const file = `${folder}/${name}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\xff]/g, escape));
  }
}
