import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { OrderNotes } from '../desk/order-notes.js';
import type { ItemResult, JobItem } from './job.js';
import { NO_SUCH_ORDER } from './order-batch.js';

type Postponement = Readonly<{ actor: string; datetimeLocal: string | undefined; note: string | undefined }>;

/** Notes on orders that their event takes place later. The orders stay as they are. */
@Injectable()
export class PostponementBatch {
  constructor(private readonly notes: OrderNotes) {}

  /** Returns the outcomes in the order of the items. Orders that have ended get no note. */
  async apply(client: ClientBase, items: readonly JobItem[], postponement: Postponement): Promise<ItemResult[]> {
    const ids = items.map(({ order_id: orderId }) => orderId);
    const { rows } = await client.query<{ id: string; is_open: boolean }>(OPEN, [ids]);
    const known = new Map(rows.map(({ id, is_open: isOpen }) => [id, isOpen]));
    const open = ids.filter((id) => known.get(id) === true);
    const text = textOf(postponement);
    await this.notes.addToAll(client, open, { author: postponement.actor, visibility: 'partner', text });
    return ids.map((id) => (known.has(id) ? { outcome: known.get(id) ? 'done' : 'unchanged' } : NO_SUCH_ORDER));
  }
}

// The note is not written while somebody erases the order's key.
const OPEN = `
  select o.id, status is distinct from 'rejected' and stage in ('placed', 'awaiting_payment') as is_open from orders o
  left join lateral (select from personal_data_keys k where k.order_id = o.id for share) as locked on true
  where o.id = any($1) order by o.id`;

function textOf({ datetimeLocal, note }: Postponement): string {
  const when =
    datetimeLocal === undefined
      ? 'The event was postponed. Its new date is not known yet.'
      : `The event was postponed to ${datetimeLocal.slice(0, 10)}, ${datetimeLocal.slice(11, 16)}.`;
  return note === undefined ? when : `${when} ${note}`;
}
