import { parseJson } from '#base/json';
import type { SignedHead } from './signed-heads.js';

/** An anchor as JSON: a line of a file, or the data of a webhook. */
export function documentOf({ position, head, audit, at, mac }: SignedHead): object {
  const hex = (bytes: Buffer) => bytes.toString('hex');
  return { position, head: hex(head), audit_position: audit.position, audit_hash: hex(audit.hash), at, mac: hex(mac) };
}

/** Reads such a document, or the whole body of a webhook. Undefined for anything else. */
export function anchorOf(json: string): SignedHead | undefined {
  try {
    const document = parseJson(json) as Record<string, unknown>;
    return signedHeadOf(document['type'] === 'ledger.anchor' ? document['data'] : document);
  } catch {
    return undefined;
  }
}

function signedHeadOf(document: unknown): SignedHead | undefined {
  const { position, head, audit_position, audit_hash, at, mac } = document as Record<string, unknown>;
  if (!isPosition(position) || !isPosition(audit_position) || typeof at !== 'string') return undefined;
  const [headBytes, auditHash, macBytes] = [head, audit_hash, mac].map(bytesOf);
  if (!headBytes || !auditHash || !macBytes) return undefined;
  return { position, head: headBytes, audit: { position: audit_position, hash: auditHash }, at, mac: macBytes };
}

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value);

function bytesOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value) ? Buffer.from(value, 'hex') : undefined;
}
