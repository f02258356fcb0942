import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { MAIL_STATES } from './mail.contract.js';
import { Sealer, UnsealError } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import { obstacleOf } from './mail/mail-obstacle.js';
import type { MailKind } from './mail-templates.js';
import { isFree } from '#mail/waiting-mails';

type MailState = (typeof MAIL_STATES)[number];

/** What was written, for those who may read it. */
export type SentMail = Readonly<{ to: string; subject: string; text: string }>;

/** Times are ISO 8601. `content` is null before the mail was sent and after the buyer's data was erased. */
export type StoredMail = Readonly<{
  id: string;
  order_id: string;
  kind: MailKind;
  /** Null in other mails, and if it tells of the newest one. */
  refund_id: string | null;
  state: MailState;
  created_at: string;
  requested_by: string;
  attempts: number;
  sent_at: string | null;
  error: string | null;
  content: SentMail | null;
}>;

type FoundMail = Readonly<{ order_id: string; kind: MailKind; state: MailState; is_latest: boolean }>;

const mailNoteId = (id: string) => `mail/${id}`;

/** Mails to buyers: which are due, and what became of them. The outbox sends them. */
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

  /** Adds a mail for each order that the feed says was confirmed, each refund that was made, each transfer and each choice, since the last call. Some at a time. Returns whether there may be more. */
  async scheduleFromFeed(): Promise<boolean> {
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

  /** What was written, sealed with the order's key, and the time now. Null after the buyer's data was erased. */
  async sealed(id: string, orderId: string, content: SentMail): Promise<[at: Date, sealed: Buffer | null]> {
    const { rows } = await this.pool.query<{ key: Buffer | null; personal: Buffer | null }>(ORDER_KEY, [orderId]);
    const { key = null, personal = null } = rows[0] ?? {};
    const sealed = key && this.sealer.sealNote(orderId, mailNoteId(id), key, JSON.stringify(content), personal);
    return [this.now(), sealed];
  }

  /** It came back. Whoever has a lease on it loses it. */
  async bounced(id: string): Promise<void> {
    await this.pool.query(BOUNCED, [id]);
  }

  /** Newest last. */
  async ofOrder(orderId: string): Promise<StoredMail[]> {
    const { rows } = await this.pool.query<MailRow>({ name: 'mails-of-order', text: OF_ORDER, values: [orderId] });
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
  caused as (
    select substr(f.stream, 7) as order_id, f.stream_position, e.refund_id,
      case e.type when 'RefundSucceeded' then 'refund' when 'TransferSent' then 'transfer' when 'ChoiceAsked' then 'choice' else 'confirmation' end as kind
    from feed f
    cross join lateral (
      select type, data -> 'status' ->> 'status_code' as code, data ->> 'refund_id' as refund_id from events
      where stream = f.stream and position = f.stream_position offset 0) as e
    where f.position > (select after from moved) and f.position <= (select up_to from moved)
      and f.stream like 'order-%' and (e.type = 'OrderConfirmed' and e.code = '2000' or e.type in ('RefundSucceeded', 'TransferSent', 'ChoiceAsked'))),
  added as (
    insert into mails (id, order_id, kind, refund_id, state, created_at, due_at, requested_by)
    select 'mai_' || substr(order_id, 5) || '_' || stream_position, order_id, kind, refund_id, 'due', $1, $1, 'system:mail'
    from caused join orders o on o.id = order_id
    where case when kind in ('refund', 'choice') then ${obstacleOf('refund')} else ${obstacleOf('confirmation')} end is null
    on conflict do nothing)
  select exists (select from moved) as moved`;

const DUE = `
  select id from mails where state in ('due', 'accepted') and due_at <= $1 and ${isFree('lease_until')} order by due_at limit $2`;

const BOUNCED = `update mails set state = 'bounced', error = null, lease_until = null where id = $1`;

const OF_ORDER = `
  select m.id, m.order_id, m.kind, m.refund_id, m.state, m.created_at, m.requested_by, m.attempts, m.sent_at, m.error, m.sealed, k.key
  from mails m left join personal_data_keys k on k.order_id = m.order_id where m.order_id = $1 order by m.created_at, m.id`;

const ORDER_KEY = `
  select k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id where o.id = $1`;

const FIND = `
  select m.order_id, m.kind, m.state, not exists (
    select from mails n where n.order_id = m.order_id and n.kind = m.kind and (n.created_at, n.id) > (m.created_at, m.id)) as is_latest
  from mails m where m.id = $1`;
