import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { stringifyJson } from '#base/json';
import { DatabaseClock } from '#database/database-clock';
import { dollarsOf } from '#domain/money';
import { HOLD_WARNING_MS, LATE_REFUND_MS } from '#orders/money-tasks.projection';

const AT_ONCE = 500;

const SUBJECT = `case when o.payment_step = 'hold' then 'hold_expires/' || o.id || '/'
  else 'late_refund/' || o.id || '/' || to_char(o.payment_due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;

// $1: the time until which holds end, $2: the time since which refunds wait.
const DUE = `
  select o.id as order_id, o.payment_step = 'hold' as is_hold, o.payment_due_at as due_at, ${SUBJECT} as subject,
    o.summary #>> '{payment,reference}' as reference, o.total_cents
  from orders o
  where o.payment_due_at <= $1::timestamptz
    and (o.payment_step = 'hold' or o.payment_step in ('refund', 'refund_outcome') and o.payment_due_at <= $2::timestamptz)
    and not exists (select from money_tasks t where t.subject = ${SUBJECT})
  order by o.payment_due_at limit ${AT_ONCE}`;

const ADD = `
  insert into money_tasks (id, subject, kind, order_id, reference, due_at, ours, opened_at)
  select id, subject, kind, order_id, reference, due_at, ours, $2
  from json_to_recordset($1) as found (id text, subject text, kind text, order_id text, reference text, due_at timestamptz, ours jsonb)
  on conflict (subject) do nothing`;

type DueOrder = Readonly<{
  order_id: string;
  is_hold: boolean;
  due_at: Date;
  subject: string;
  reference: string | null;
  total_cents: string;
}>;

/** Opens tasks that only time brings: of a hold that ends soon, and of a refund that is not made. */
@Injectable()
export class MoneyTaskWatch {
  constructor(
    private readonly pool: Pool,
    private readonly ids: Ids,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Whether there may be more. */
  async run(): Promise<boolean> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<DueOrder>({
      name: 'money-tasks-due',
      text: DUE,
      values: [iso(now + HOLD_WARNING_MS), iso(now - LATE_REFUND_MS)],
    });
    if (rows.length > 0) await this.pool.query(ADD, [stringifyJson(rows.map((row) => this.task(row))), iso(now)]);
    return rows.length === AT_ONCE;
  }

  private task({ order_id, is_hold: isHold, due_at, subject, reference, total_cents: cents }: DueOrder) {
    const id = this.ids.next('tsk');
    const about = { id, subject, order_id };
    if (!isHold) return { ...about, kind: 'refund_failed', reference: null, due_at: null, ours: null };
    return { ...about, kind: 'hold_expires', reference, due_at: due_at.toISOString(), ours: dollarsOf(Number(cents)) };
  }
}

const iso = (ms: number) => new Date(ms).toISOString();
