import { hash } from 'node:crypto';

/** The root of the Merkle tree over these leaves, in their order, as RFC 6962 makes it. SHA-256. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  return rootOf(leaves.map((leaf) => sha256(LEAF, leaf)));
}

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

function rootOf(nodes: readonly Buffer[]): Buffer {
  const [first] = nodes;
  if (first && nodes.length === 1) return first;
  // The left part is the largest full tree that leaves something for the right one.
  const left = 2 ** Math.floor(Math.log2(nodes.length - 1));
  return sha256(NODE, rootOf(nodes.slice(0, left)), rootOf(nodes.slice(left)));
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
