import type { ClientBase } from 'pg';

/** The last entry of the audit log. Its hash covers all entries before it. */
export type AuditHead = Readonly<{ position: number; hash: Buffer }>;

const EMPTY: AuditHead = { position: 0, hash: Buffer.alloc(0) };

export async function readAuditHead(client: ClientBase): Promise<AuditHead> {
  const { rows } = await client.query<{ position: string; hash: Buffer }>({ name: 'audit-head', text: AUDIT_HEAD });
  return rows[0] ? { position: Number(rows[0].position), hash: rows[0].hash } : EMPTY;
}

const AUDIT_HEAD = 'select position, hash from audit_log order by position desc limit 1';
