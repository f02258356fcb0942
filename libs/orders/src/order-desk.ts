import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { tellOperators } from '#accounts/inbox';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { domainError } from '#domain/domain-error';

/** `by` is the actor who assigns. */
type Assignment = Readonly<{ assignee: string | null; by: string }>;

/** What staff record beside an order. It is not part of the order, so it does not raise its version. */
@Injectable()
export class OrderDesk {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /**
   * Replaces the tags. Returns false if there is no such order.
   * @param expected the version of the tags and assignee that the change was made from; undefined for any
   * @throws DomainError if somebody else was faster
   */
  setTags(orderId: string, tags: readonly string[], expected?: number): Promise<boolean> {
    return this.set(SET_TAGS, orderId, tags, expected);
  }

  /**
   * Returns false if there is no such order. The assignee gets a notice.
   * @param assignee the id of an operator, or null for nobody
   * @param expected as for the tags
   * @throws DomainError if somebody else was faster
   */
  async assign(orderId: string, { assignee, by }: Assignment, expected?: number): Promise<boolean> {
    return await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ assignee: string | null }>(LOCK_ASSIGNEE, [orderId]);
      if (!(await this.set(ASSIGN, orderId, assignee, expected, client))) return false;
      if (assignee !== null && rows[0]?.assignee !== assignee) {
        const notice = { kind: 'assigned', to: [assignee], orderId, actor: by, at: this.clock.iso() } as const;
        await tellOperators(client, notice);
      }
      return true;
    });
  }

  private async set(
    statement: string,
    orderId: string,
    value: unknown,
    expected: number | undefined,
    client: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<boolean> {
    const { rowCount } = await client.query(statement, [orderId, value, expected ?? null]);
    if (rowCount === 1) return true;
    const { rows } = await client.query<{ version: number }>(VERSION, [orderId]);
    const [order] = rows;
    if (!order) return false;
    throw domainError('VERSION_STALE', `The tags and the assignee are at desk_version ${order.version} by now.`);
  }
}

const LOCK_ASSIGNEE = 'select assignee from order_desk where order_id = $1 for update';

const VERSION = `select coalesce(d.version, 0) as version from orders o left join order_desk d on d.order_id = o.id
  where o.id = $1`;

/** The version is compared again in the update, because another change may come between. */
const set = (column: 'tags' | 'assignee') => `
  insert into order_desk (order_id, ${column}) select o.id, $2 from orders o left join order_desk d on d.order_id = o.id
    where o.id = $1 and ($3::int is null or $3 = coalesce(d.version, 0))
  on conflict (order_id) do update set ${column} = excluded.${column}, version = order_desk.version + 1
    where $3::int is null or order_desk.version = $3`;

const SET_TAGS = set('tags');
const ASSIGN = set('assignee');
