import type { LineError } from './batch.js';

type Node = Readonly<{ id: number; parent_id?: number | null | undefined }>;

/** Which of the taxonomies `given` would hang in the air or be their own ancestors, beside those that are there. */
export function faultsOfTree(existing: readonly Node[], given: readonly Node[]): LineError[] {
  const nodes = new Map([...existing, ...given].map((node) => [node.id, node.parent_id ?? null]));
  const faults = new Map<number, string>();
  for (const { id } of given) {
    const message = faultAbove(nodes, id);
    if (message !== undefined) faults.set(id, message);
  }
  return [...faults].map(([id, message]) => ({ id, message }));
}

function faultAbove(nodes: ReadonlyMap<number, number | null>, id: number): string | undefined {
  const seen = new Set<number>();
  for (let at: number | null = id; at !== null; at = nodes.get(at) ?? null) {
    if (seen.has(at)) return 'parent_id: a taxonomy cannot be its own ancestor';
    if (!nodes.has(at)) return `parent_id: there is no taxonomy ${at}`;
    seen.add(at);
  }
  return undefined;
}
