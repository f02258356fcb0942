import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { domainError } from '#domain/domain-error';

/** What staff record beside an order. It is not part of the order, so it does not raise its version. */
@Injectable()
export class OrderDesk {
  constructor(private readonly pool: Pool) {}

  /**
   * Replaces the tags. Returns false if there is no such order.
   * @param expected the version of the tags and assignee that the change was made from; undefined for any
   * @throws DomainError if somebody else was faster
   */
  setTags(orderId: string, tags: readonly string[], expected?: number): Promise<boolean> {
    return this.set(SET_TAGS, orderId, tags, expected);
  }

  /**
   * Returns false if there is no such order.
   * @param assignee the id of an operator, or null for nobody
   * @param expected as for the tags
   * @throws DomainError if somebody else was faster
   */
  assign(orderId: string, assignee: string | null, expected?: number): Promise<boolean> {
    return this.set(ASSIGN, orderId, assignee, expected);
  }

  private async set(statement: string, orderId: string, value: unknown, expected?: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(statement, [orderId, value, expected ?? null]);
    if (rowCount === 1) return true;
    const { rows } = await this.pool.query<{ version: number }>(VERSION, [orderId]);
    const [order] = rows;
    if (!order) return false;
    throw domainError('VERSION_STALE', `The tags and the assignee are at desk_version ${order.version} by now.`);
  }
}

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
