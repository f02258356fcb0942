import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Views for analysts, who need no right on a table. They have no personal data and no secrets. None reads a table that is in partitions, because a
 * view follows a table that is renamed. A migration that changes the type of a column of these makes its view anew.
 */
export class Analytics1772940010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema if not exists analytics');
    for (const [name, { is, sql, columns }] of Object.entries(VIEWS)) {
      await runner.query(`create or replace view analytics.${name} as ${sql}`);
      await runner.query(`comment on view analytics.${name} is '${is}'`);
      for (const [column, text] of Object.entries(columns)) {
        await runner.query(`comment on column analytics.${name}.${column} is '${text}'`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema if exists analytics cascade');
  }
}

type View = Readonly<{ is: string; sql: string; columns: Readonly<Record<string, string>> }>;

const VIEWS: Readonly<Record<string, View>> = {
  orders: {
    is: 'One row an order, as it is now',
    sql: `
      select id, client_id, variant, stage, status, status_code, event_id, listing_id, seller, quantity, total_cents, speculative,
        purchase #>> '{delivery_method,type}' as delivery_method, next_action, has_replacement, has_refund, placed_at, updated_at
      from public.orders`,
    columns: {
      client_id: 'The platform that bought',
      variant: 'payment: Willcall takes the money; wholesale: the platform pays',
      stage: 'placed, or why there is no order yet or any more',
      event_id: 'The show: id of analytics.events',
      total_cents: 'US cents: what the purchase said',
      speculative: 'The seller did not have the tickets yet',
      next_action: 'What has to happen next; null: nothing',
    },
  },
  order_status_changes: {
    is: 'One row for each status of an order',
    sql: `
      select order_id, sequence, status, status_code, status_message, split_part(actor, ':', 1) as changed_by, recorded_at as changed_at
      from public.status_history`,
    columns: {
      sequence: '1 is the first status of the order',
      changed_by: 'The kind of actor, such as platform, operator or system',
    },
  },
  listings: {
    is: 'One row a listing, as it is now',
    sql: `
      select id, event_id, terms ->> 'seller' as seller, terms ->> 'section' as section, terms ->> 'row' as "row", split_rule,
        (terms ->> 'priceCents')::bigint as price_cents, (terms ->> 'feesCents')::bigint as fees_cents,
        (terms ->> 'wholesalePriceCents')::bigint as wholesale_price_cents, offered, available, created_at, updated_at, withdrawn_at
      from public.listings`,
    columns: {
      event_id: 'The show: id of analytics.events',
      price_cents: 'US cents a ticket',
      fees_cents: 'US cents a ticket',
      wholesale_price_cents: 'US cents a ticket, for platforms that pay by wholesale',
      offered: 'Tickets for sale and in orders',
      available: 'Tickets for sale',
      withdrawn_at: 'Null while it is on sale',
    },
  },
  events: {
    is: 'One row a show of the catalogue',
    sql: `
      select e.id::text as id, e.title, e.type, e.datetime_utc, e.datetime_local, e.announce_date, e.venue_id, v.name as venue, e.city, e.state,
        e.country, e.taxonomy_names[1] as taxonomy
      from public.discovery_events e left join public.discovery_venues v on v.id = e.venue_id`,
    columns: {
      datetime_utc: 'When it begins, in UTC',
      datetime_local: 'The same at the venue',
      taxonomy: 'The first of its kinds',
    },
  },
  pings: {
    is: 'One row for each status that the platform is told of',
    sql: `
      select order_id, sequence, client_id, status, status_code, occurred_at, state, due_since, attempts, next_try_at, delivered_at
      from public.pings`,
    columns: {
      sequence: 'As in analytics.order_status_changes',
      state: 'pending, delivered, or parked: not tried any more',
      due_since: 'When it became due: when the status changed, or when it was sent again',
      attempts: 'Calls so far',
    },
  },
  payments: {
    is: 'One row for each order whose payment Willcall takes',
    sql: `
      select id as order_id, summary #>> '{payment,state}' as state, summary #>> '{payment,provider}' as provider,
        summary #>> '{payment,currency}' as currency, (summary #>> '{payment,authorised_cents}')::bigint as authorised_cents,
        (summary #>> '{payment,captured_cents}')::bigint as captured_cents, (summary #>> '{payment,refunded_cents}')::bigint as refunded_cents,
        (summary #>> '{payment,pending_refunds_cents}')::bigint as pending_refunds_cents
      from public.orders where variant = 'payment'`,
    columns: {
      currency: 'ISO 4217; null for payments of versions before captures',
      authorised_cents: 'Cents of currency that the provider has promised',
      captured_cents: 'Cents of currency that were taken',
      refunded_cents: 'Cents of currency that went back',
      pending_refunds_cents: 'Cents of currency that are on their way back',
    },
  },
  disputes: {
    is: 'One row for each dispute or inquiry about a payment',
    sql: `
      select id, order_id, provider, kind, state, inquiry, amount_cents, currency, opened_at, due_at, sent_at, closed_at
      from public.disputes`,
    columns: {
      amount_cents: 'Cents of currency',
      inquiry: 'The bank only asks, and holds no money',
      due_at: 'When evidence has to be there',
    },
  },
  ledger_entries: {
    is: 'What each event moves between accounts; the amounts of one event add up to 0',
    sql: `
      select case when l.stream like 'order-%' then substr(l.stream, 7) end as order_id,
        case when l.stream like 'order-%' then 'order' when l.stream like 'provider-%' then 'payout' else 'seller_payment' end as kind,
        entry.account, entry.amount_cents, l.currency, l.recorded_at
      from public.ledger_entries l cross join lateral unnest(l.accounts, l.amounts) as entry (account, amount_cents)`,
    columns: {
      order_id: 'Null for money that belongs to no order',
      kind: 'order, payout (a provider to the bank) or seller_payment (the bank to a seller)',
      account: 'As in docs/ledger.md',
      amount_cents: 'Cents of currency; debit is positive',
    },
  },
};
