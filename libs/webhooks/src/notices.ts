import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** A notice as staff see it. Times are ISO 8601, UTC. */
export type ListedNotice = Readonly<{ id: number; kind: string; subject: string; message: string; created_at: string }>;

/** Those with a lower id than `before`, of one subject or of all. */
export type NoticePage = Readonly<{ limit: number; before?: number | undefined; subject?: string | undefined }>;

/** What whoever runs the service was told. */
@Injectable()
export class Notices {
  constructor(private readonly pool: Pool) {}

  /** Newest first; a page begins after the last id of the one before. */
  async list({ limit, before, subject }: NoticePage): Promise<readonly ListedNotice[]> {
    const values = [limit, before ?? Number.MAX_SAFE_INTEGER, subject ?? null];
    const { rows } = await this.pool.query<Omit<ListedNotice, 'created_at'> & { created_at: Date }>(
      `select id, kind, subject, message, created_at from operational_notices
       where id < $2 and (subject = $3 or $3::text is null) order by id desc limit $1`,
      values,
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }
}
