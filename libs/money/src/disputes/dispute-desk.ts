import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { dollarsOf } from '#domain/money';
import { openedNote } from '#orders/event-notes';
import { orNotFound } from '#web/http-error';
import type { Dispute, DisputeQuery } from '../dispute.contract.js';
import type { DueCursor } from '../paging/due-cursor.js';

type Times = 'opened_at' | 'due_at' | 'sent_at' | 'closed_at';
type DisputeRow = Omit<Dispute, Times | 'amount' | 'note'> &
  Readonly<Record<Times, Date | null>> &
  Readonly<{
    opened_at: Date;
    amount_cents: string;
    note_position: number | null;
    note: string | null;
    sealed_note: string | null;
    key: Buffer | null;
  }>;

/** Like the note of a status, one from before an erasure is gone. */
const ERASED_AT = `coalesce((select max(x.position) from events x
  where x.stream = 'order-' || d.order_id and x.type = 'PersonalDataErased'), 0)`;

const ROWS = `
  select d.id, d.reference, d.order_id, d.provider, d.kind, d.state, d.inquiry, d.reason, d.amount_cents, d.currency, d.opened_at,
    d.due_at, d.sent_at, d.closed_at, d.note_position, case when d.note_position > ${ERASED_AT} then e.data ->> 'note' end as note,
    e.data ->> 'sealed_note' as sealed_note, k.key
  from disputes d
  left join events e on e.stream = 'order-' || d.order_id and e.position = d.note_position
  left join personal_data_keys k on k.order_id = d.order_id and d.note_position is not null`;

const DUE = `coalesce(d.due_at, 'infinity')`;

const PAGE = `${ROWS}
  where ($1::text is null or d.state = $1) and ($2::timestamptz is null or d.due_at < $2)
    and ($3::timestamptz is null or (${DUE}, d.id) > ($3::timestamptz, $4))
  order by ${DUE}, d.id limit $5`;

/** Disputes of all orders as the desk sees them. */
@Injectable()
export class DisputeDesk {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  /** First those that are due first. */
  async page(
    { state, due_before }: Pick<DisputeQuery, 'state' | 'due_before'>,
    { limit, after }: Readonly<{ limit: number; after: DueCursor | undefined }>,
  ): Promise<Dispute[]> {
    const { rows } = await this.pool.query<DisputeRow>(PAGE, [
      state ?? null,
      due_before ?? null,
      after?.dueAt ?? null,
      after?.id ?? null,
      limit,
    ]);
    return rows.map((row) => this.shown(row));
  }

  /** @throws HttpError 404 if there is no such dispute */
  async one(id: string): Promise<Dispute> {
    const { rows } = await this.pool.query<DisputeRow>(`${ROWS} where d.id = $1`, [id]);
    return this.shown(orNotFound(rows[0], 'dispute'));
  }

  private shown(row: DisputeRow): Dispute {
    const { amount_cents, opened_at, due_at, sent_at, closed_at, note_position, note, sealed_note, key, ...dispute } =
      row;
    const stored = { position: note_position ?? 0, note, sealed_note };
    return {
      ...dispute,
      amount: dollarsOf(Number(amount_cents)),
      opened_at: opened_at.toISOString(),
      due_at: due_at?.toISOString() ?? null,
      sent_at: sent_at?.toISOString() ?? null,
      closed_at: closed_at?.toISOString() ?? null,
      note: note_position === null ? null : openedNote(this.sealer, dispute.order_id, key, stored),
    };
  }
}
