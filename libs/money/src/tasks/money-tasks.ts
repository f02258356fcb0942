import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { domainError } from '#domain/domain-error';
import { CardDataPolicy } from '#orders/card-data-policy';
import { OrderNotes } from '#orders/order-notes';
import { orNotFound } from '#web/http-error';
import type { MoneyTask, MoneyTaskQuery } from '../money-task.contract.js';
import type { DueCursor } from '../paging/due-cursor.js';

type Times = 'due_at' | 'opened_at' | 'done_at';
type TaskRow = Omit<MoneyTask, Times> & Readonly<{ due_at: Date | null; opened_at: Date; done_at: Date | null }>;

const COLUMNS = 'id, kind, order_id, reference, due_at, ours, theirs, opened_at, done_at';
const DUE = `coalesce(due_at, 'infinity')`;

const PAGE = `
  select ${COLUMNS} from money_tasks
  where ($1::text is null or kind = $1) and ($2::boolean is null or (done_at is null) = $2)
    and ($3::text is null or order_id = $3)
    and ($4::timestamptz is null or (${DUE}, id) > ($4::timestamptz, $5))
  order by ${DUE}, id limit $6`;

// A note on a difference that has no order stays with the task.
const END = `
  update money_tasks set done_at = $2, done_by = $3, note = $4 where id = $1 and done_at is null returning ${COLUMNS}`;

/** Work about money, as staff see and end it. */
@Injectable()
export class MoneyTasks {
  constructor(
    private readonly pool: Pool,
    private readonly notes: OrderNotes,
    private readonly policy: CardDataPolicy,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** First those that are due first. */
  async page(
    { kind, state, order_id }: Pick<MoneyTaskQuery, 'kind' | 'state' | 'order_id'>,
    { limit, after }: Readonly<{ limit: number; after: DueCursor | undefined }>,
  ): Promise<MoneyTask[]> {
    const { rows } = await this.pool.query<TaskRow>(PAGE, [
      kind ?? null,
      state === undefined ? null : state === 'open',
      order_id ?? null,
      after?.dueAt ?? null,
      after?.id ?? null,
      limit,
    ]);
    return rows.map(shownTask);
  }

  /** @throws HttpError 404 if there is no such task; DomainError if it is done, or if the note has card data and the settings refuse it */
  async end(id: string, { note, by }: Readonly<{ note: string; by: string }>): Promise<MoneyTask> {
    const admitted = this.policy.admit('note', note);
    const known = await this.pool.query<TaskRow>(`select ${COLUMNS} from money_tasks where id = $1`, [id]);
    const { order_id: orderId } = orNotFound(known.rows[0], 'task');
    const { rows } = await this.pool.query<TaskRow>(END, [
      id,
      this.clock.iso(),
      by,
      orderId === null ? admitted : null,
    ]);
    const [ended] = rows;
    if (!ended) throw domainError('CONFLICT', 'The task is done.');
    if (orderId !== null) await this.notes.add(orderId, { author: by, visibility: 'internal', text: admitted });
    return shownTask(ended);
  }
}

function shownTask({ due_at, opened_at, done_at, ...task }: TaskRow): MoneyTask {
  return {
    ...task,
    due_at: due_at?.toISOString() ?? null,
    opened_at: opened_at.toISOString(),
    done_at: done_at?.toISOString() ?? null,
  };
}
