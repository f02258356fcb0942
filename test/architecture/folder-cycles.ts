import { posix } from 'node:path';
import { importsOf } from './imports.js';

export type Source = Readonly<{ path: string; source: string }>;

/**
 * The imports between folders that are part of a cycle, as `folder -> folder (file imports file)`. Specs do not count, because they
 * may combine any parts. Neither do the files directly in a lib's src: they are the face of its folders, and `fileCircles` looks at them.
 */
export function folderCycles(sources: readonly Source[]): string[] {
  const edges = sources.filter(({ path }) => !/spec\.tsx?$/.test(path)).flatMap(edgesOf);
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reach = new Map(Array.from(next.keys(), (folder) => [folder, reachableFrom(folder, next)]));
  return edges.filter(({ from, to }) => reach.get(to)?.has(from)).map(({ says }) => says);
}

type Edge = Readonly<{ from: string; to: string; says: string }>;

function edgesOf({ path, source }: Source): Edge[] {
  const from = posix.dirname(path);
  return importsOf(path, source)
    .filter(
      ({ ours, target }) => ours && posix.dirname(target) !== from && !isFace(from) && !isFace(posix.dirname(target)),
    )
    .map(({ target }) => {
      const to = posix.dirname(target);
      return { from, to, says: `${from} -> ${to} (${posix.basename(path)} imports ${posix.basename(target)})` };
    });
}

const isFace = (folder: string) => /^libs\/[^/]+\/src$/.test(folder);

export function reachableFrom(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const left = [start];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const other of next.get(folder) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      left.push(other);
    }
  }
  return reached;
}
