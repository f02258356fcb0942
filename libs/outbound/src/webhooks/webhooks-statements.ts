import { NEWEST_ENTRY } from '../webhook-entries.js';
import { WEBHOOK_OPTIONS } from '../webhook.contract.js';
import { START_OVER } from './webhook-ledger-statements.js';

// `jsonb_populate_record` gives each value the type of its column.
const SETTABLE = ['url', ...WEBHOOK_OPTIONS].join(', ');
// Written and never listed.
const WRITTEN = `${SETTABLE}, credentials`;

/** $1 id, $2 url, sealed credentials and options as JSON, $3 the position to begin after or null, $4 now, $5 and $6 the secret's id and the sealed secret. */
export const CREATE = `
  with stream as (select coalesce(${NEWEST_ENTRY}, 0) as newest),
  webhook as (
    insert into webhooks (id, ${WRITTEN}, from_position, position, created_at, updated_at)
    select $1, ${WRITTEN}, first, first, $4, $4
    from (select least(coalesce($3::bigint, newest), newest) as first from stream) as begin,
      jsonb_populate_record(null::webhooks, $2) as given
    returning id)
  insert into webhook_secrets (id, webhook_id, secret, created_at) select $5, id, $6, $4 from webhook`;

/** $1 a webhook's id, or null for all, $2 now. */
export const LIST = `
  select id, ${SETTABLE}, event_types as types, state, disabled_reason, breaker, failures, open_until,
    from_position, position, created_at, updated_at,
    (select count(*)::int from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending') as pending,
    (select min(d.created_at) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending') as oldest_pending_at,
    (select count(*)::int from webhook_deliveries d where d.webhook_id = w.id and d.state = 'parked') as parked,
    (select coalesce(json_agg(live), '[]') from (
      select s.id, s.created_at, s.expires_at from webhook_secrets s
      where s.webhook_id = w.id and (s.expires_at is null or s.expires_at > $2)
      order by s.created_at desc, s.id desc) as live) as secrets
  from webhooks w where id = $1 or $1::text is null order by created_at, id`;

/** $1 id, $2 now, $3 what changes of url, sealed credentials and options, as JSON. Concurrent changes of other fields stay. */
export const CHANGE = `
  update webhooks set
    (${WRITTEN}) = (select ${WRITTEN} from jsonb_populate_record(webhooks, $3) as changed),
    updated_at = $2, version = version + 1
  where id = $1`;

/** $1 id, $2 now. A disabled webhook stays disabled. */
export const PAUSE = `
  update webhooks set state = 'paused', updated_at = $2, version = version + 1 where id = $1 and state = 'active'`;

export const RESUME = `
  with resumed as (
    update webhooks set state = 'active', disabled_reason = null, breaker = 'closed', failures = 0, openings = 0,
      open_until = null, paced_until = null, recovering = true, updated_at = $2, version = version + 1
    where id = $1)
  ${START_OVER}`;

/** $1 id. Also deletes the lease, so a worker that is delivering to it cannot record anything any more. */
export const REMOVE = `
  with lease as (delete from webhook_leases where webhook_id = $1)
  delete from webhooks where id = $1`;

// Each live secret adds a signature to every request, so the number of old secrets is limited.
const OLD_SECRETS = 9;

/** $1 id, $2 now, $3 until when the old secrets stay valid, $4 and $5 the new secret's id and the sealed secret. */
export const ROTATE = `
  with webhook as (
    update webhooks set version = version + 1, updated_at = $2 where id = $1 returning id),
  old as (
    select id, row_number() over (order by created_at desc, id desc) as age from webhook_secrets
    where webhook_id = $1 and (expires_at is null or expires_at > $2)),
  expiring as (
    update webhook_secrets set expires_at = case when age > ${OLD_SECRETS} then $2 else least(coalesce(expires_at, $3), $3) end
    from old where webhook_secrets.id = old.id)
  insert into webhook_secrets (id, webhook_id, secret, created_at) select $4, id, $5, $2 from webhook`;
