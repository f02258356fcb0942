import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SourceMap } from './source-map.js';

/** Makes stacks name the sources of the bundled programs. Unlike --enable-source-maps, it reads a map when a stack needs it. */
export function showSourcePositions(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  Error.prepareStackTrace = (error, sites) => {
    const frames = sites.map((site) => `\n    at ${frameOf(site, mapOf)}`);
    return headOf(error) + frames.join('');
  };
}

function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

type Site = NodeJS.CallSite & { toString(): string };

function frameOf(site: Site, mapOf: (file: string) => SourceMap | undefined): string {
  const text = site.toString();
  const file = site.getFileName();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const found = mapOf(file)?.find(line, column);
  if (!found) return text;
  const source = resolve(dirname(fileURLToPath(file)), found.source);
  return text.replace(`${file}:${line}:${column}`, () => `${source}:${found.line}:${found.column}`);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(readFileSync(`${fileURLToPath(file)}.map`, 'utf8'));
  } catch {
    return undefined;
  }
}
