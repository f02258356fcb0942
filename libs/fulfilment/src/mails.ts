import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { MAIL_STATES } from './mail.contract.js';
import { Sealer, UnsealError } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import { MAIL_OBSTACLE } from './mail/mail-obstacle.js';
import type { MailKind } from './mail-templates.js';
import { MAIL_LEASE_MS } from '#platform/mail-transport';

type MailState = (typeof MAIL_STATES)[number];

/** What was written, for those who may read it. */
export type SentMail = Readonly<{ to: string; subject: string; text: string }>;

/** Times are ISO 8601. `content` is null before the mail was sent and after the buyer's data was erased. */
export type StoredMail = Readonly<{
  id: string;
  order_id: string;
  kind: MailKind;
  state: MailState;
  created_at: string;
  requested_by: string;
  attempts: number;
  sent_at: string | null;
  error: string | null;
  content: SentMail | null;
}>;

/**
 * A mail that this process sends. Nobody else does until the lease is over. `lease_until` is also its fence: a later lease ends later, so
 * what an earlier owner writes late finds no row.
 */
export type LeasedMail = Readonly<{
  id: string;
  order_id: string;
  kind: MailKind;
  state: MailState;
  attempts: number;
  lease_until: Date;
}>;

type Ended = Exclude<MailState, 'due' | 'accepted'>;

type FoundMail = Readonly<{ order_id: string; kind: MailKind; state: MailState; is_latest: boolean }>;

const mailNoteId = (id: string) => `mail/${id}`;

/** Mails to buyers: which are due, and what became of them. The rows decide; a job of the queue is only a wake-up. */
@Injectable()
export class Mails {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Undefined if there is no such order. */
  async request(orderId: string, kind: MailKind, requestedBy: string): Promise<string | undefined> {
    const id = this.ids.next('mai');
    const { rowCount } = await this.pool.query(REQUEST, [id, orderId, kind, this.now(), requestedBy]);
    return rowCount === 1 ? id : undefined;
  }

  /** Adds a mail for each order that the feed says was confirmed since the last call. Some at a time. Returns whether there may be more. */
  async scheduleConfirmations(): Promise<boolean> {
    const { rows } = await this.pool.query<{ moved: boolean }>(SCHEDULE, [this.now(), FEED_AT_ONCE]);
    return rows[0]?.moved === true;
  }

  /** Where the feed ends now: what was confirmed before gets no mail. */
  async start(): Promise<void> {
    await this.pool.query(START);
  }

  /** Passes over what was confirmed meanwhile, so that none of it is mailed when somebody switches the mails on again. */
  async passOver(): Promise<void> {
    await this.pool.query(PASS_OVER);
  }

  async due(limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(DUE, [this.now(), limit]);
    return rows.map(({ id }) => id);
  }

  /** Undefined if it is not due, or somebody else sends it. */
  async lease(id: string): Promise<LeasedMail | undefined> {
    const until = new Date(this.clock.now() + MAIL_LEASE_MS);
    const { rows } = await this.pool.query<LeasedMail>(LEASE, [id, this.now(), until]);
    return rows[0];
  }

  /** The lease from now on. Undefined if somebody else has it, or the mail has ended. */
  async renewed({ id, lease_until: fence }: LeasedMail): Promise<LeasedMail | undefined> {
    const until = new Date(this.clock.now() + MAIL_LEASE_MS);
    const { rows } = await this.pool.query<LeasedMail>(RENEW, [id, fence, until]);
    return rows[0];
  }

  /** The mail server has it. What was written is sealed with the order's key. False if the lease was lost; then nothing changes. */
  async accepted({ id, order_id: orderId, lease_until: fence }: LeasedMail, content: SentMail): Promise<boolean> {
    const { rows } = await this.pool.query<{ key: Buffer | null; personal: Buffer | null }>(ORDER_KEY, [orderId]);
    const { key = null, personal = null } = rows[0] ?? {};
    const sealed = key && this.sealer.sealNote(orderId, mailNoteId(id), key, JSON.stringify(content), personal);
    const { rowCount } = await this.pool.query(ACCEPTED, [id, fence, this.now(), sealed]);
    return rowCount === 1;
  }

  /** Does nothing if the lease was lost. */
  async end({ id, lease_until: fence }: LeasedMail, state: Ended, error: string | null = null): Promise<void> {
    await this.pool.query(END, [id, fence, state, error]);
  }

  /** It came back. Whoever has a lease on it loses it. */
  async bounced(id: string): Promise<void> {
    await this.pool.query(BOUNCED, [id]);
  }

  /** Does nothing if the lease was lost. */
  async retry({ id, lease_until: fence }: LeasedMail, waitMs: number, error: string): Promise<void> {
    await this.pool.query(RETRY, [id, fence, new Date(this.clock.now() + waitMs), error]);
  }

  /** Newest last. */
  async ofOrder(orderId: string): Promise<StoredMail[]> {
    const { rows } = await this.pool.query<MailRow>(OF_ORDER, [orderId]);
    return rows.map(({ sealed, key, created_at, sent_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      sent_at: sent_at?.toISOString() ?? null,
      content: this.contentOf(orderId, row.id, key, sealed),
    }));
  }

  /** The order and the kind of a mail, and whether no later one of the kind was made. Undefined if it is unknown. */
  async find(id: string): Promise<FoundMail | undefined> {
    const { rows } = await this.pool.query<FoundMail>(FIND, [id]);
    return rows[0];
  }

  private contentOf(orderId: string, id: string, key: Buffer | null, sealed: Buffer | null): SentMail | null {
    if (!key || !sealed) return null;
    try {
      return parseJson(this.sealer.openNote(orderId, mailNoteId(id), key, sealed)) as SentMail;
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

type MailRow = Omit<StoredMail, 'created_at' | 'sent_at' | 'content'> &
  Readonly<{ created_at: Date; sent_at: Date | null; sealed: Buffer | null; key: Buffer | null }>;

const FEED_AT_ONCE = 1_000;
const CHECKPOINT = 'mail-schedule';

const REQUEST = `
  insert into mails (id, order_id, kind, state, created_at, due_at, requested_by)
  select $1, o.id, $3, 'due', $4, $4, $5 from orders o where o.id = $2`;

const START = `
  insert into subscriptions (name, position) select '${CHECKPOINT}', coalesce(max(position), 0) from feed
  on conflict (name) do nothing`;

const PASS_OVER = `
  update subscriptions set position = ended, updated_at = now()
  from (select coalesce(max(position), 0) as ended from feed) as feed
  where name = '${CHECKPOINT}' and position < ended`;

// The id follows from the event, so nothing is mailed twice, even if the checkpoint is set back.
const SCHEDULE = `
  with checkpoint as (
    select position as after, least(position + $2, (select coalesce(max(position), 0) from feed)) as up_to
    from subscriptions where name = '${CHECKPOINT}'),
  moved as (
    update subscriptions set position = up_to, updated_at = now() from checkpoint
    where name = '${CHECKPOINT}' and position = after and up_to > after returning after, up_to),
  confirmed as (
    select substr(f.stream, 7) as order_id, f.stream_position
    from feed f
    cross join lateral (
      select type, data -> 'status' ->> 'status_code' as code from events
      where stream = f.stream and position = f.stream_position offset 0) as e
    where f.position > (select after from moved) and f.position <= (select up_to from moved)
      and f.stream like 'order-%' and e.type = 'OrderConfirmed' and e.code = '2000'),
  added as (
    insert into mails (id, order_id, kind, state, created_at, due_at, requested_by)
    select 'mai_' || substr(order_id, 5) || '_' || stream_position, order_id, 'confirmation', 'due', $1, $1, 'system:mail'
    from confirmed join orders o on o.id = order_id where ${MAIL_OBSTACLE} is null on conflict do nothing)
  select exists (select from moved) as moved`;

const DUE = `
  select id from mails where state in ('due', 'accepted') and due_at <= $1 and (lease_until is null or lease_until < $1)
  order by due_at limit $2`;

const LEASE = `
  update mails set lease_until = $3, attempts = attempts + case when state = 'due' then 1 else 0 end
  where id = $1 and state in ('due', 'accepted') and due_at <= $2 and (lease_until is null or lease_until < $2)
  returning id, order_id, kind, state, attempts, lease_until`;

const HELD = 'id = $1 and lease_until = $2';
const RENEW = `
  update mails set lease_until = $3 where ${HELD} returning id, order_id, kind, state, attempts, lease_until`;
const ACCEPTED = `
  update mails set state = 'accepted', sent_at = $3, sealed = $4, error = null where ${HELD} and state = 'due'`;
const END = `update mails set state = $3, error = $4, lease_until = null where ${HELD}`;
const RETRY = `update mails set due_at = $3, error = $4, lease_until = null where ${HELD}`;
const BOUNCED = `update mails set state = 'bounced', error = null, lease_until = null where id = $1`;

const OF_ORDER = `
  select m.id, m.order_id, m.kind, m.state, m.created_at, m.requested_by, m.attempts, m.sent_at, m.error, m.sealed, k.key
  from mails m left join personal_data_keys k on k.order_id = m.order_id where m.order_id = $1 order by m.created_at, m.id`;

const ORDER_KEY = `
  select k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id where o.id = $1`;

const FIND = `
  select m.order_id, m.kind, m.state, not exists (
    select from mails n where n.order_id = m.order_id and n.kind = m.kind and (n.created_at, n.id) > (m.created_at, m.id)) as is_latest
  from mails m where m.id = $1`;
