import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { DueField } from '#orders/order-search.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import type { EscalationRule } from './work-queues.js';

export type NewOwnQueue = Readonly<{
  name: string;
  /** As it was sent. */
  where: Readonly<Record<string, unknown>>;
  /** An order is due so many minutes after this time of it. */
  due: Readonly<{ field: DueField; minutes: number }>;
}>;

export type OwnQueue = NewOwnQueue & Readonly<{ id: string }>;

export type EscalatingQueue = OwnQueue & Readonly<{ escalation: EscalationRule }>;

/** Queues that staff define by a condition. All staff share them. The database holds the condition sealed, because it may name a buyer. */
@Injectable()
export class OwnQueues {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
  ) {}

  /** By name. */
  async list(): Promise<OwnQueue[]> {
    const { rows } = await this.pool.query<OwnQueueRow>({ name: 'own-queues', text: LIST });
    return rows.map((row) => this.opened(row));
  }

  async find(id: string): Promise<OwnQueue | undefined> {
    const { rows } = await this.pool.query<OwnQueueRow>(`select ${COLUMNS} from own_queues where id = $1`, [id]);
    return rows.map((row) => this.opened(row))[0];
  }

  /** The queues whose orders are escalated. */
  async escalating(): Promise<EscalatingQueue[]> {
    const { rows } = await this.pool.query<OwnQueueRow & EscalationRule>(ESCALATING);
    return rows.map(({ after_minutes, assignee, notify, ...row }) => {
      return { ...this.opened(row), escalation: { after_minutes, assignee, notify } };
    });
  }

  async add(queue: NewOwnQueue): Promise<OwnQueue> {
    const id = this.ids.next('que');
    await this.pool.query(ADD, [id, ...this.values(id, queue), this.clock.iso()]);
    return { ...queue, id };
  }

  /** Returns false if there is no such queue. */
  async replace(id: string, queue: NewOwnQueue): Promise<boolean> {
    const { rowCount } = await this.pool.query(REPLACE, [id, ...this.values(id, queue)]);
    return rowCount === 1;
  }

  /** Its escalation ends with it. Returns false if there is no such queue. */
  async remove(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(REMOVE, [id]);
    return rowCount === 1;
  }

  private values(id: string, { name, where, due }: NewOwnQueue): readonly unknown[] {
    const condition = this.sealer.seal('own-queue', id, Buffer.from(JSON.stringify(where)));
    return [name, condition, due.field, due.minutes];
  }

  private opened({ id, name, condition, due_field: field, due_minutes: minutes }: OwnQueueRow): OwnQueue {
    const where = parseJson(this.sealer.open('own-queue', id, condition).toString()) as OwnQueue['where'];
    return { id, name, where, due: { field, minutes } };
  }
}

type OwnQueueRow = { id: string; name: string; condition: Buffer; due_field: DueField; due_minutes: number };

const COLUMNS = 'id, name, condition, due_field, due_minutes';

const LIST = `select ${COLUMNS} from own_queues order by lower(name), id`;

const ADD = `
  insert into own_queues (id, name, condition, due_field, due_minutes, created_at) values ($1, $2, $3, $4, $5, $6)`;

const ESCALATING = `
  select ${COLUMNS}, rule.after_minutes, rule.assignee, rule.notify
  from own_queues join queue_escalations rule on rule.queue = own_queues.id`;

const REMOVE = `
  with gone as (delete from own_queues where id = $1 returning id),
  rule as (delete from queue_escalations using gone where queue = gone.id),
  marks as (delete from own_escalations using gone where queue = gone.id)
  select id from gone`;

const REPLACE = 'update own_queues set name = $2, condition = $3, due_field = $4, due_minutes = $5 where id = $1';
