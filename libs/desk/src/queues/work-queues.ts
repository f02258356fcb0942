import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { DueField } from '#orders/order-search.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import {
  BUILT_IN_QUEUES,
  builtInQueue,
  type CustomQueue,
  type EscalationRule,
  type NamedEscalation,
  type WorkQueue,
} from './work-queue.js';

export type NewQueue = Omit<CustomQueue, 'id'>;

/** A queue whose orders are escalated. */
export type EscalatingQueue = WorkQueue & Readonly<{ escalation: EscalationRule }>;

/**
 * The work queues: the built-in ones, and custom ones that staff define by a condition. All staff share them. The database holds the
 * condition sealed, because it may name a buyer.
 */
@Injectable()
export class WorkQueues {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
  ) {}

  /** The built-in ones first, then the custom ones by name. */
  async list(): Promise<WorkQueue[]> {
    const { rows } = await this.pool.query<CustomRow>({ name: 'custom-queues', text: LIST });
    return [...BUILT_IN_QUEUES, ...rows.map((row) => this.opened(row))];
  }

  async find(id: string): Promise<WorkQueue | undefined> {
    const builtIn = builtInQueue(id);
    if (builtIn) return builtIn;
    const { rows } = await this.pool.query<CustomRow>(`select ${COLUMNS} from own_queues where id = $1`, [id]);
    return rows.map((row) => this.opened(row))[0];
  }

  /** The rules of the queues that have one. */
  async escalations(): Promise<ReadonlyMap<string, NamedEscalation>> {
    const { rows } = await this.pool.query<NamedEscalation & { queue: string }>({
      name: 'queue-escalations',
      text: ESCALATIONS,
    });
    return new Map(rows.map(({ queue, ...rule }) => [queue, rule]));
  }

  async escalating(): Promise<EscalatingQueue[]> {
    const { rows } = await this.pool.query<EscalationRule & { queue: string } & (CustomRow | { id: null })>({
      name: 'escalating-queues',
      text: ESCALATING,
    });
    return rows.flatMap(({ queue, after_minutes, assignee, notify, ...row }) => {
      const found = row.id === null ? builtInQueue(queue) : this.opened(row);
      return found ? [{ ...found, escalation: { after_minutes, assignee, notify } }] : [];
    });
  }

  /** Orders that have been escalated stay so. */
  async setEscalation(queue: string, rule: EscalationRule | null): Promise<void> {
    if (rule === null) {
      await this.pool.query('delete from queue_escalations where queue = $1', [queue]);
      return;
    }
    await this.pool.query(SET_ESCALATION, [queue, rule.after_minutes, rule.assignee, rule.notify]);
  }

  async add(queue: NewQueue): Promise<CustomQueue> {
    const id = this.ids.next('que');
    await this.pool.query(ADD, [id, ...this.values(id, queue), this.clock.iso()]);
    return { ...queue, id };
  }

  /** Returns false if there is no such custom queue. */
  async replace(id: string, queue: NewQueue): Promise<boolean> {
    const { rowCount } = await this.pool.query(REPLACE, [id, ...this.values(id, queue)]);
    return rowCount === 1;
  }

  /** Its escalation ends with it. Returns false if there is no such custom queue. */
  async remove(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(REMOVE, [id]);
    return rowCount === 1;
  }

  private values(id: string, { name, where, due }: NewQueue): readonly unknown[] {
    const condition = this.sealer.seal('own-queue', id, Buffer.from(JSON.stringify(where)));
    return [name, condition, due.field, due.minutes];
  }

  private opened({ id, name, condition, due_field: field, due_minutes: minutes }: CustomRow): CustomQueue {
    const where = parseJson(this.sealer.open('own-queue', id, condition).toString()) as CustomQueue['where'];
    return { id, name, where, due: { field, minutes } };
  }
}

type CustomRow = { id: string; name: string; condition: Buffer; due_field: DueField; due_minutes: number };

const COLUMNS = 'id, name, condition, due_field, due_minutes';

const LIST = `select ${COLUMNS} from own_queues order by lower(name), id`;

const ADD = `
  insert into own_queues (id, name, condition, due_field, due_minutes, created_at) values ($1, $2, $3, $4, $5, $6)`;

const ESCALATIONS = `
  select rule.queue, rule.after_minutes, rule.assignee, rule.notify, coalesce(p.name, rule.assignee) as assignee_name
  from queue_escalations rule left join operators p on p.id = rule.assignee`;

const ESCALATING = `
  select ${COLUMNS}, rule.queue, rule.after_minutes, rule.assignee, rule.notify
  from queue_escalations rule left join own_queues on own_queues.id = rule.queue`;

const SET_ESCALATION = `
  insert into queue_escalations (queue, after_minutes, assignee, notify) values ($1, $2, $3, $4)
  on conflict (queue) do update set after_minutes = excluded.after_minutes, assignee = excluded.assignee, notify = excluded.notify`;

const REMOVE = `
  with gone as (delete from own_queues where id = $1 returning id),
  rule as (delete from queue_escalations using gone where queue = gone.id),
  marks as (delete from own_escalations using gone where queue = gone.id)
  select id from gone`;

const REPLACE = 'update own_queues set name = $2, condition = $3, due_field = $4, due_minutes = $5 where id = $1';
