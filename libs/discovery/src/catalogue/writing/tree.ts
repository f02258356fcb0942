import type { LineError } from './batch.js';

type Node = Readonly<{ id: number; parent_id?: number | null | undefined }>;

/** Errors of the taxonomies in `given` that would have no parent, or would be their own ancestors. */
export function treeErrors(existing: readonly Node[], given: readonly Node[]): LineError[] {
  const nodes = new Map([...existing, ...given].map((node) => [node.id, node.parent_id ?? null]));
  const errors = new Map<number, string>();
  for (const { id } of given) {
    const message = ancestorError(nodes, id);
    if (message !== undefined) errors.set(id, message);
  }
  return [...errors].map(([id, message]) => ({ id, message }));
}

function ancestorError(nodes: ReadonlyMap<number, number | null>, id: number): string | undefined {
  const seen = new Set<number>();
  for (let at: number | null = id; at !== null; at = nodes.get(at) ?? null) {
    if (seen.has(at)) return 'parent_id: a taxonomy cannot be its own ancestor';
    if (!nodes.has(at)) return `parent_id: there is no taxonomy ${at}`;
    seen.add(at);
  }
  return undefined;
}
