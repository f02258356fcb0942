import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** What staff record beside an order. It is not part of the order, so it does not raise its version. */
@Injectable()
export class OrderDesk {
  constructor(private readonly pool: Pool) {}

  /** Replaces the tags. Returns false if there is no such order. */
  async setTags(orderId: string, tags: readonly string[]): Promise<boolean> {
    const { rowCount } = await this.pool.query(SET_TAGS, [orderId, tags]);
    return rowCount === 1;
  }

  /** @param assignee the id of an operator, or null for nobody. Returns false if there is no such order. */
  async assign(orderId: string, assignee: string | null): Promise<boolean> {
    const { rowCount } = await this.pool.query(ASSIGN, [orderId, assignee]);
    return rowCount === 1;
  }
}

const SET_TAGS = `
  insert into order_desk (order_id, tags) select id, $2 from orders where id = $1
  on conflict (order_id) do update set tags = excluded.tags`;

const ASSIGN = `
  insert into order_desk (order_id, assignee) select id, $2 from orders where id = $1
  on conflict (order_id) do update set assignee = excluded.assignee`;
