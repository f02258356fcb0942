import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The event log, its feed, and what is written in the same transaction as an order's events. */
export class OrderCore1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [EVENT_LOG, APPEND_ONLY, ORDERS, PINGS, LISTINGS, CLIENTS, SANDBOX, GRANTS]) {
      await runner.query(sql);
    }
  }

  async down(): Promise<void> {
    throw new Error('The event log is kept for ever: this migration has no way back.');
  }
}

// data and metadata are json, not jsonb, because the hash chain covers the text exactly as it was written.
const EVENT_LOG = `
  create table events (
    stream text not null,
    position int not null check (position > 0),
    event_id text not null,
    type text not null,
    data json not null,
    metadata json not null,
    recorded_at timestamptz(3) not null,
    hash bytea not null,
    primary key (stream, position)
  );
  create table outbox (
    id bigint generated always as identity primary key,
    stream text not null,
    stream_position int not null,
    recorded_at timestamptz(3) not null
  );
  create table feed (
    position bigint primary key,
    stream text not null,
    stream_position int not null,
    unique (stream, stream_position)
  );
  create table subscriptions (
    name text primary key,
    position bigint not null,
    updated_at timestamptz not null default now()
  );
  create function expect_rows(part text, affected bigint, wanted bigint) returns void language plpgsql as $$
  begin
    if affected <> wanted then
      raise exception using errcode = 'WC001', message = 'expected rows were not there', detail = part;
    end if;
  end $$;`;

const APPEND_ONLY = `
  create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append only', tg_table_name using errcode = 'WC002';
  end $$;
  create trigger events_are_kept before update or delete on events for each row execute function refuse_change();
  create trigger events_stay before truncate on events execute function refuse_change();
  create trigger feed_is_kept before update or delete on feed for each row execute function refuse_change();
  create trigger feed_stays before truncate on feed execute function refuse_change();`;

const ORDERS = `
  create table orders (
    id text primary key,
    version int not null,
    client_id text not null,
    variant text not null,
    stage text not null,
    status text,
    status_code int,
    status_message text,
    event_id text not null,
    listing_id text not null,
    quantity int not null,
    stock_held int not null,
    total_cents bigint not null,
    ref_id text,
    transaction_id text not null,
    placed_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    due_for text,
    due_at timestamptz(3),
    purchase json not null,
    summary json not null,
    personal bytea
  );
  create index orders_placed_at on orders (placed_at, id);
  create index orders_updated_at on orders (updated_at, id);
  create index orders_status_code on orders (status_code, placed_at);
  create index orders_listing on orders (listing_id);
  create index orders_event on orders (event_id);
  create index orders_ref_id on orders (ref_id);
  create index orders_transaction on orders (transaction_id);
  create index orders_due on orders (due_at) where due_at is not null;
  create table status_history (
    order_id text not null,
    sequence int not null,
    position int not null,
    status text not null,
    status_code int not null,
    status_message text not null,
    actor text not null,
    note text,
    recorded_at timestamptz(3) not null,
    primary key (order_id, sequence)
  );
  create table purchase_keys (
    client_id text not null,
    key text not null,
    order_id text not null,
    primary key (client_id, key)
  );
  create table personal_data_keys (
    order_id text primary key,
    key bytea not null,
    email_digest bytea
  );
  create index personal_data_email on personal_data_keys (email_digest) where email_digest is not null;`;

// A ping becomes due with its event, or when it is resent. Its tries and the end of its retries count from then. Leases are worthless
// after a crash of the server, so they are not logged.
const PINGS = `
  create table pings (
    order_id text not null,
    sequence int not null,
    position int not null,
    client_id text not null,
    ref_id text,
    status text not null,
    status_code int not null,
    status_message text not null,
    occurred_at timestamptz(3) not null,
    transaction_id text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'parked')),
    due_since timestamptz(3) not null,
    tries int not null default 0,
    attempts int not null default 0,
    next_try_at timestamptz(3),
    delivered_at timestamptz(3),
    primary key (order_id, sequence),
    check ((state = 'pending') = (next_try_at is not null))
  );
  create index pings_due on pings (next_try_at, order_id, sequence) where state = 'pending';
  create index pings_parked on pings (order_id, sequence) where state = 'parked';
  create table ping_attempts (
    order_id text not null,
    sequence int not null,
    attempt int not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    http_status int,
    error text,
    primary key (order_id, sequence, attempt)
  );
  create unlogged table ping_leases (
    order_id text primary key,
    fence bigint not null,
    leased_until timestamptz(3) not null
  );`;

// The terms are one document, which a lookup reads and parses at once: 38 µs of the api's time instead of 50 for a
// column each. offered - available is what orders hold.
const LISTINGS = `
  create table listings (
    id text primary key,
    version int not null default 1,
    terms json not null,
    event_id text not null generated always as (terms ->> 'eventId') stored,
    split_rule text not null generated always as (terms ->> 'splitRule') stored,
    offered int not null,
    available int not null check (available between 0 and offered),
    withdrawn_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  ) with (fillfactor = 80);
  create index listings_event on listings (event_id);`;

const CLIENTS = `
  create table clients (
    client_id text primary key,
    name text not null,
    variant text not null check (variant in ('payment', 'wholesale')),
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  );
  create table client_secrets (
    id text primary key,
    client_id text not null references clients (client_id),
    secret bytea not null,
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  );
  create index client_secrets_client on client_secrets (client_id);`;

// A ping contains no status. `announcement` is its number within the order; a repeated ping counts once.
const SANDBOX = `
  create table sandbox_payments (
    order_id text primary key,
    reference text not null,
    amount_cents bigint not null,
    state text not null,
    created_at timestamptz(3) not null
  );
  create table sandbox_pings (
    id bigint generated always as identity primary key,
    order_id text not null,
    ref_id text,
    client_id text,
    transaction_id text,
    signature_valid boolean not null,
    announcement int,
    received_at timestamptz(3) not null,
    reads int not null default 0,
    next_read_at timestamptz(3),
    read_at timestamptz(3),
    read_error text,
    purchase json,
    shows_announced boolean
  );
  create index sandbox_pings_order on sandbox_pings (order_id, transaction_id) where signature_valid;
  create index sandbox_pings_unread on sandbox_pings (next_read_at, id) where next_read_at is not null;`;

// The role that serves requests (`migrate` creates it) may add to the log and the feed, but not change or delete anything there.
const GRANTS = `
  grant usage on schema public to willcall_app;
  grant select, insert on events, feed to willcall_app;
  grant select, insert, delete on outbox, purchase_keys, personal_data_keys to willcall_app;
  grant select, insert, update on subscriptions, orders, status_history, pings, ping_attempts, listings, clients, client_secrets to willcall_app;
  grant select, insert, update, delete on ping_leases, sandbox_payments, sandbox_pings to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
