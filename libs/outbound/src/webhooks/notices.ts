import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** `created_at` is ISO 8601, UTC. */
export type ListedNotice = Readonly<{ id: number; kind: string; subject: string; message: string; created_at: string }>;

export type NoticePage = Readonly<{ limit: number; before?: number | undefined; subject?: string | undefined }>;

@Injectable()
export class Notices {
  constructor(private readonly pool: Pool) {}

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
