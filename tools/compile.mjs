// Compiles the TypeScript of the server into dist with swc, file by file, and copies its other files. Not the specs, and not the console,
// which Vite builds.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { filesBelow } from './files.mjs';
import { sourceFiles } from './sources.mjs';

/** Compiles everything. Outputs of files that are no longer there are removed, because they must not stay importable. */
export async function compile() {
  const files = sourceFiles();
  for (const folder of new Set(files.map((file) => dirname(file)))) mkdirSync(`dist/${folder}`, { recursive: true });
  await Promise.all(files.map((file) => (isTypeScript(file) ? compileFile(file) : copyFileSync(file, `dist/${file}`))));
  const outputs = new Set(files.flatMap(outputsOf));
  const folders = [...new Set(files.map((file) => file.split('/')[0]))].filter((folder) =>
    existsSync(`dist/${folder}`),
  );
  for (const file of folders.flatMap((folder) => filesBelow(`dist/${folder}`))) if (!outputs.has(file)) rmSync(file);
}

async function compileFile(file) {
  const [script, map] = outputsOf(file);
  const sourceFileName = relative(dirname(script), file);
  const compiled = await transformFile(file, { configFile: '.swcrc', sourceFileName, outputPath: script });
  writeFileSync(map, compiled.map);
  writeFileSync(script, `${compiled.code}\n//# sourceMappingURL=${basename(map)}`);
}

function outputsOf(file) {
  if (!isTypeScript(file)) return [`dist/${file}`];
  const script = `dist/${file.replace(/\.tsx?$/, '.js')}`;
  return [script, `${script}.map`];
}

const isTypeScript = (file) => /\.tsx?$/.test(file);
