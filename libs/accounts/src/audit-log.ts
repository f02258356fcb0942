import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import { parseJson, stringifyJson } from '#base/json';

/** Something that somebody did. `detail` holds no personal data and no secret. */
export type AuditedAction = Readonly<{
  actor: string;
  /** `noun.verb`, e.g. `order.changed`. */
  action: string;
  /** What was changed or read, e.g. `order:ord_1`. */
  subject: string;
  transactionId?: string | undefined;
  /** The address that the request came from. */
  address?: string | undefined;
  detail?: Readonly<Record<string, unknown>>;
}>;

export type AuditEntry = Readonly<{
  id: string;
  at: string;
  actor: string;
  action: string;
  subject: string;
  transaction_id: string | null;
  address: string | null;
  detail: Readonly<Record<string, unknown>>;
}>;

export type AuditFilter = Readonly<{
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  /** ISO 8601; `from` is included, `to` is not. */
  from?: string | undefined;
  to?: string | undefined;
}>;

/** What people and programs did. Entries are only added, and each one's hash covers the one before it (`append_audit`). */
@Injectable()
export class AuditLog {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @param client of the transaction that the entry is part of; without it the entry is written by itself. */
  async record(action: AuditedAction, client: Pool | ClientBase = this.pool): Promise<void> {
    await this.recordAll([action], client);
  }

  /** Several entries in one statement, in their order. */
  async recordAll(actions: readonly AuditedAction[], client: Pool | ClientBase): Promise<void> {
    if (actions.length === 0) return;
    const entries = actions.map((action) => this.entryOf(action));
    await client.query(APPEND, [entries.map(({ id }) => id), entries.map((entry) => stringifyJson(entry))]);
  }

  private entryOf(action: AuditedAction): AuditEntry {
    return {
      id: this.ids.next('aud'),
      at: this.clock.iso(),
      actor: action.actor,
      action: action.action,
      subject: action.subject,
      transaction_id: action.transactionId ?? null,
      address: action.address ?? null,
      detail: action.detail ?? {},
    };
  }

  /** Newest first. `before` is the position of the last entry of the page before. */
  async page(
    filter: AuditFilter,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<{ entries: AuditEntry[]; next: number | undefined }> {
    const { rows } = await this.pool.query<{ position: string; entry: string }>(PAGE, [
      filter.actor ?? null,
      filter.action ?? null,
      filter.subject ?? null,
      filter.from ?? null,
      filter.to ?? null,
      before ?? null,
      limit + 1,
    ]);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      entries: shown.map(({ entry }) => parseJson(entry) as AuditEntry),
      next: rows.length > limit && last ? Number(last.position) : undefined,
    };
  }

  /** The entries of these subjects, oldest first; at most the latest thousand. */
  async about(subjects: readonly string[], actions: readonly string[]): Promise<AuditEntry[]> {
    const { rows } = await this.pool.query<{ entry: string }>(ABOUT, [subjects, actions]);
    return rows.map(({ entry }) => parseJson(entry) as AuditEntry).reverse();
  }
}

const APPEND = 'select append_audit(id, entry) from unnest($1::text[], $2::text[]) as given (id, entry)';

const PAGE = `
  select position, entry from audit_log
  where ($1::text is null or actor = $1) and ($2::text is null or action = $2) and ($3::text is null or subject = $3)
    and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
    and ($6::bigint is null or position < $6)
  order by position desc limit $7`;

const ABOUT = `
  select entry from audit_log where subject = any($1) and action = any($2) order by position desc limit 1000`;
