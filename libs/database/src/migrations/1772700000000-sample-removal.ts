import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sample data can be removed. The application may delete no order and no listing, so the rules say which are invented. */
export class SampleRemoval1772700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MARK, REMOVED_SAMPLES, REMOVE_ORDER, REMOVE_LISTINGS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table removed_samples, sample_data;
      drop function remove_sample_order(), remove_sample_listings(text[])`);
  }
}

// Earlier versions loaded the sample without a mark. Its first listing tells.
const MARK = `
  create table if not exists sample_data (
    is_only boolean primary key default true check (is_only),
    removed_at timestamptz(3),
    removed_by text
  );
  insert into sample_data (is_only) select true where exists (select from listings where id = 'demo-payment-1')
  on conflict do nothing`;

const REMOVED_SAMPLES = `
  create table if not exists removed_samples (order_id text primary key, removed_at timestamptz(3) not null)`;

// The log and the ledger keep what the order was. Its pings were made up as well: none may wait for anybody.
const REMOVE_ORDER = `
  create or replace function remove_sample_order() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
  begin
    delete from orders o where o.id = new.order_id and o.listing_id ~ '^sample-[0-9]+-(instant|confirm-[0-9]+)$'
      and o.transaction_id ~ '^sg-[0-9a-f]{32}$' and o.ref_id ~ '^sg-[0-9a-z]+-[0-9]{1,3}$';
    if not found then raise exception 'order % is no sample', new.order_id; end if;
    update pings set state = 'delivered', next_try_at = null where order_id = new.order_id and state <> 'delivered';
    return new;
  end $$;
  create or replace trigger remove_sample_order before insert on removed_samples
    for each row execute function remove_sample_order()`;

// A listing at which somebody bought stays, withdrawn.
const REMOVE_LISTINGS = `
  create or replace function remove_sample_listings(named text[]) returns int language plpgsql security definer
  set search_path = public, pg_temp as $$
  declare
    deleted int;
  begin
    update listings set version = version + 1, withdrawn_at = now(), updated_at = now()
    where (id = any(named) or id ~ '^sample-[0-9]+-([0-9]+|instant|confirm-[0-9]+)$') and withdrawn_at is null;
    delete from listings l where (id = any(named) or id ~ '^sample-[0-9]+-([0-9]+|instant|confirm-[0-9]+)$')
      and not exists (select from orders o where o.listing_id = l.id);
    get diagnostics deleted = row_count;
    return deleted;
  end $$`;

const RIGHTS = `
  grant select, insert on removed_samples to willcall_app;
  grant select, insert, update on sample_data to willcall_app;
  revoke execute on function remove_sample_order() from public;
  revoke execute on function remove_sample_listings(text[]) from public;
  grant execute on function remove_sample_listings(text[]) to willcall_app`;
