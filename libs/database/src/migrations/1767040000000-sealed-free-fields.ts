import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROWS_AT_ONCE = 5_000;

/** Notes and the market's own fields are sealed under the order's key. What erased orders still have of both goes away. */
export class SealedFreeFields1767040000000 implements MigrationInterface {
  // It runs while purchases go on: each statement locks few rows for a short time.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of COLUMNS) await runner.query(sql);
    for (let last = ''; ;) {
      const rows = (await runner.query(ERASE, [last, ROWS_AT_ONCE])) as { last: string | null }[];
      if (!rows[0]?.last) break;
      last = rows[0].last;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table status_history drop column sealed_note;
      alter table orders drop column sealed_market_fields;
      revoke update (sealed) on order_notes from willcall_app`);
  }
}

const COLUMNS = [
  'alter table status_history add column if not exists sealed_note text',
  'alter table orders add column if not exists sealed_market_fields boolean',
  'grant update (sealed) on order_notes to willcall_app',
  // What is no event is forgotten after the days of the settings.
  'grant delete on ping_attempts to willcall_app',
];

// The columns hold json, whose fields keep their order, so the field is cut out by jsonb only where it is.
const ERASE = `
  with batch as (select id, summary ->> 'personal_data' = 'erased' as is_erased from orders where id > $1 order by id limit $2),
  erased as (select id from batch where is_erased),
  purchases as (
    update orders o set purchase = (o.purchase::jsonb - 'market_specific_fields')::json
    from erased where o.id = erased.id and o.purchase -> 'market_specific_fields' is not null),
  notes as (
    update status_history h set note = null from erased
    where h.order_id = erased.id and h.note is not null
      and h.position < (select max(position) from events e where e.stream = 'order-' || erased.id and e.type = 'PersonalDataErased')),
  desk_notes as (
    update order_notes n set sealed = '' from erased
    where n.order_id = erased.id and n.sealed like 'main:%'
      and n.at < (select max(recorded_at) from events e where e.stream = 'order-' || erased.id and e.type = 'PersonalDataErased')),
  answers as (
    update webhook_attempts a set answer = null from erased
      join ping_stream s on s.order_id = erased.id cross join webhooks w
    where a.webhook_id = w.id and a.position = s.position and a.answer is not null)
  select max(id) as last from batch`;
