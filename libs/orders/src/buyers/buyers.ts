import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Caller } from '#accounts/caller';
import { dollarsOf } from '#domain/money';
import type { Buyer, BuyerData, BuyerOrdersQuery } from '../buyer.contract.js';
import type { OrderList } from '../order.contract.js';
import { peopleOf } from '../order-contact.js';
import { OrderFinder, type SearchQuestion } from '../order-finder.js';
import { accessOf, OrderFinding } from '../order-finding.js';
import { OrderNotes } from '../order-notes.js';
import { OrderView } from '../order-view.js';
import { listedOrders, type ListedOrder } from '../order-queries.js';

// A reseller may have more. The newest say enough.
const MOST = 1_000;

type KnownBy = Readonly<{ question: SearchQuestion; by: Buyer['known_by'] }>;

/**
 * A buyer is who has the e-mail address of an order, or without one the telephone number. It has no id of its own, because one would tell who
 * bought several times after the data is erased, and would change with ENCRYPTION_KEY: any order names its buyer.
 */
@Injectable()
export class Buyers {
  constructor(
    private readonly pool: Pool,
    private readonly finder: OrderFinder,
    private readonly finding: OrderFinding,
    private readonly view: OrderView,
    private readonly notes: OrderNotes,
  ) {}

  /** Undefined if there is no such order. */
  async find(orderId: string, caller: Caller): Promise<Buyer | undefined> {
    const order = await this.order(orderId);
    if (!order) return undefined;
    const { question, by } = this.knownBy(order);
    const found = await this.finder.find(question, { limit: MOST, after: undefined }, accessOf(caller));
    const { rows } = await this.pool.query<Totals>(TOTALS, [found.map(({ id }) => id)]);
    const { total_cents: total, refunded_cents: refunded, first_at, last_at, ...counts } = rows[0]!;
    const { contact, personal_data, personal_data_masked } = this.view.listed(order, caller);
    return {
      id: orderId,
      contact,
      personal_data,
      personal_data_masked,
      known_by: by,
      ...counts,
      total: dollarsOf(Number(total)),
      refunded: dollarsOf(Number(refunded)),
      first_order_at: first_at.toISOString(),
      last_order_at: last_at.toISOString(),
    };
  }

  /** Newest first. Undefined if there is no such order. */
  async orders(orderId: string, page: BuyerOrdersQuery, caller: Caller): Promise<OrderList | undefined> {
    const order = await this.order(orderId);
    return order && (await this.finding.page(this.knownBy(order).question, page, caller));
  }

  /** In clear. Undefined if there is no such order. */
  async data(orderId: string, caller: Caller): Promise<BuyerData | undefined> {
    const order = await this.order(orderId);
    if (!order) return undefined;
    const page = { limit: MOST, after: undefined };
    const found = await this.finder.find(this.knownBy(order).question, page, accessOf(caller));
    const orders: BuyerData['orders'] = [];
    for (const one of found) {
      const data = this.view.opened(one);
      if (!data) continue;
      const { product, delivery_method } = one.purchase;
      const notes = await this.notes.ofOrder(one.id, caller.sellers ? ['partner'] : ['internal', 'partner']);
      orders.push({
        id: one.id,
        placed_at: one.placed_at.toISOString(),
        product,
        total: dollarsOf(one.total_cents),
        buyer: data.user && { ...data.user },
        delivery_method: { type: delivery_method.type, data: { ...data.delivery } },
        billing: data.billing && { ...data.billing },
        card_last4: one.card_last4,
        market_specific_fields: data.market_specific_fields ? { ...data.market_specific_fields } : null,
        notes: notes.flatMap(({ at, author, text }) => (text === null ? [] : [{ at, author, text }])),
      });
    }
    return { orders };
  }

  private async order(id: string): Promise<ListedOrder | undefined> {
    return (await listedOrders(this.pool, [{ id }]))[0];
  }

  private knownBy(order: ListedOrder): KnownBy {
    const data = this.view.opened(order);
    const people = data ? peopleOf(data) : [];
    for (const field of ['email', 'phone'] as const) {
      const value = people.map((person) => person[field]).find((text) => typeof text === 'string' && text !== '');
      if (typeof value === 'string') return { by: field, question: asking({ field, op: '=', value }) };
    }
    return { by: 'order', question: asking({ field: 'id', op: '=', value: order.id }) };
  }
}

const asking = (where: SearchQuestion['where']): SearchQuestion => ({ where, q: undefined, sort: 'placed_at.desc' });

type Totals = Readonly<
  Record<'orders' | 'rejected' | 'tickets' | 'disputes' | 'open_disputes', number> &
    Record<'total_cents' | 'refunded_cents', string> &
    Record<'first_at' | 'last_at', Date>
>;

const IS_KEPT = `filter (where o.stage = 'placed' and o.status is distinct from 'rejected')`;

const TOTALS = `
  select count(*)::int as orders, count(*) filter (where o.status = 'rejected')::int as rejected,
    coalesce(sum(o.quantity) ${IS_KEPT}, 0)::int as tickets, coalesce(sum(o.total_cents) ${IS_KEPT}, 0)::text as total_cents,
    coalesce(sum((o.summary #>> '{payment,refunded_cents}')::bigint), 0)::text as refunded_cents,
    coalesce(sum(d.disputes), 0)::int as disputes, coalesce(sum(d.open), 0)::int as open_disputes,
    min(o.placed_at) as first_at, max(o.placed_at) as last_at
  from orders o cross join lateral (
    select count(*) as disputes, count(*) filter (where state in ('open', 'sent')) as open
    from disputes where order_id = o.id) d
  where o.id = any($1)`;
