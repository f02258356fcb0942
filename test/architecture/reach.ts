import { importsOf } from './imports.js';

/** Returns the files of ours that a file needs when it runs, itself included. `read` gives the source of a path. */
export function reachOf(path: string, read: (path: string) => string): string[] {
  const reached = new Set([path]);
  for (const file of reached) {
    for (const { target, ours, typeOnly } of importsOf(file, read(file))) {
      if (ours && !typeOnly && !target.endsWith('.json')) reached.add(`${target.replace(/\.js$/, '')}.ts`);
    }
  }
  return [...reached];
}
