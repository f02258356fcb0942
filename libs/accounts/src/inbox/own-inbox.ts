import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import type { SeenSellers } from '#domain/order-access';
import type { InboxNotice } from '../inbox.contract.js';
import { isSeenBy } from '../seen-orders.js';

const KEPT_MS = 90 * 86_400_000;

/** Whose notices. */
type Reader = Readonly<{ operatorId: string; sellers: SeenSellers }>;

/** What an operator was told. A notice of an order that the operator no longer sees is hidden. */
@Injectable()
export class OwnInbox {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Newest first. @param before the id after which to go on */
  async list(
    { operatorId, sellers }: Reader,
    { limit, before }: Readonly<{ limit: number; before: number | undefined }>,
  ): Promise<InboxNotice[]> {
    const { rows } = await this.pool.query<NoticeRow>(LIST, [operatorId, sellers, before ?? null, limit]);
    return rows.map(({ at, read_at: readAt, ...row }) => {
      return { ...row, at: at.toISOString(), read_at: readAt?.toISOString() ?? null };
    });
  }

  async unread({ operatorId, sellers }: Reader): Promise<number> {
    const { rows } = await this.pool.query<{ unread: number }>(UNREAD, [operatorId, sellers]);
    return rows[0]?.unread ?? 0;
  }

  /** @param ids undefined: all */
  async read(operatorId: string, ids: readonly string[] | undefined): Promise<void> {
    await this.pool.query(READ, [operatorId, ids ?? null, this.clock.iso()]);
  }

  async getsMails(operatorId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ inbox_mails: boolean }>(
      'select inbox_mails from operators where id = $1',
      [operatorId],
    );
    return rows[0]?.inbox_mails ?? false;
  }

  /** What waits to be mailed is not mailed any more if the operator does not want it. */
  async setMails(operatorId: string, wanted: boolean): Promise<void> {
    await this.pool.query('update operators set inbox_mails = $2 where id = $1', [operatorId, wanted]);
    if (!wanted)
      await this.pool.query('update inbox_notices set to_mail = false where operator_id = $1 and to_mail', [
        operatorId,
      ]);
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from inbox_notices where at < $1', [new Date(this.clock.now() - KEPT_MS)]);
  }
}

type NoticeRow = Omit<InboxNotice, 'at' | 'read_at'> & { at: Date; read_at: Date | null };

const IS_OWN = `n.operator_id = $1 and exists (select from orders o where o.id = n.order_id and ${isSeenBy('$2')})`;

const LIST = `
  select n.id::text, n.kind, n.order_id, n.orders, n.actor, a.name as actor_name, n.at, n.read_at
  from inbox_notices n left join operators a on n.actor = 'operator:' || a.id
  where ${IS_OWN} and ($3::bigint is null or n.id < $3) order by n.id desc limit $4`;

const UNREAD = `
  select count(*)::int as unread from (select from inbox_notices n where ${IS_OWN} and n.read_at is null limit 100) as first`;

const READ = `
  update inbox_notices set read_at = $3, to_mail = false where operator_id = $1 and read_at is null and ($2::bigint[] is null or id = any($2))`;
