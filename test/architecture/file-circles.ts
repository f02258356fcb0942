import { importsOf } from './imports.js';
import { reachableFrom, type Source } from './folder-cycles.js';

/** The imports of files that are part of a circle, as `file -> file`. Imports of types count too; specs do not. */
export function fileCircles(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  const next = new Map<string, Set<string>>();
  for (const { path, source } of sources) {
    if (/spec\.tsx?$/.test(path)) continue;
    const targets = importsOf(path, source).flatMap(({ target, ours }) => (ours ? filesOf(target) : []));
    next.set(path, new Set(targets.filter((target) => paths.has(target))));
  }
  const reach = new Map(Array.from(next.keys(), (path) => [path, reachableFrom(path, next)]));
  return Array.from(next, ([path, targets]) =>
    Array.from(targets)
      .filter((target) => reach.get(target)?.has(path))
      .map((target) => `${path} -> ${target}`),
  ).flat();
}

const filesOf = (target: string) => ['.ts', '.tsx'].map((end) => `${target.replace(/\.js$/, '')}${end}`);
