import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { OrderNotes } from '#orders/order-notes';
import type { ItemResult, JobItem, JobRow, NotedKind } from '../job.js';
import { NO_SUCH_ORDER } from './order-batch.js';

type NotedChange = Readonly<{
  kind: NotedKind;
  actor: string;
  arguments: JobRow['arguments'];
  note: string | undefined;
}>;

/** Notes on orders that their show takes place at another time or at another venue. */
@Injectable()
export class ShowNoteBatch {
  constructor(private readonly notes: OrderNotes) {}

  /** Returns the outcomes in the order of the items. Orders that have ended get no note. */
  async apply(client: ClientBase, items: readonly JobItem[], change: NotedChange): Promise<ItemResult[]> {
    const ids = items.map(({ order_id: orderId }) => orderId);
    const outcomes = await this.read(client, ids, LOCKED);
    const open = ids.filter((_, index) => outcomes[index]?.outcome === 'done');
    const text = await textOf(client, change);
    await this.notes.addToAll(client, open, { author: change.actor, visibility: 'partner', text });
    return outcomes;
  }

  /** What would become of the orders. Locks nothing, and waits for nobody. */
  async outcomes(pool: Pool, ids: readonly string[]): Promise<ItemResult[]> {
    return await this.read(pool, ids, '');
  }

  private async read(connection: ClientBase | Pool, ids: readonly string[], locked: string): Promise<ItemResult[]> {
    const { rows } = await connection.query<{ id: string; is_open: boolean }>(outcomesStatement(locked), [ids]);
    const known = new Map(rows.map(({ id, is_open: isOpen }) => [id, isOpen]));
    return ids.map((id) => (known.has(id) ? { outcome: known.get(id) ? 'done' : 'unchanged' } : NO_SUCH_ORDER));
  }
}

// The note is not written while somebody erases the order's key.
const LOCKED =
  'left join lateral (select from personal_data_keys k where k.order_id = o.id for share) as locked on true';

const outcomesStatement = (locked: string) => `
  select o.id, status is distinct from 'rejected' and stage in ('placed', 'awaiting_payment') as is_open
  from orders o ${locked} where o.id = any($1) order by o.id`;

const VENUE = `select concat_ws(', ', name, city, state) as place from discovery_venues where id = $1`;

async function textOf(client: ClientBase, { kind, arguments: given, note }: NotedChange): Promise<string> {
  const { datetime_local: start, venue_id: venueId } = given as { datetime_local?: string | null; venue_id?: number };
  const when = typeof start === 'string' ? `${start.slice(0, 10)}, ${start.slice(11, 16)}` : undefined;
  const added = note === undefined ? '' : ` ${note}`;
  if (kind === 'postpone_event') {
    return when === undefined
      ? `The event was postponed. Its new date is not known yet.${added}`
      : `The event was postponed to ${when}.${added}`;
  }
  const { rows } = await client.query<{ place: string }>(VENUE, [venueId]);
  const place = rows[0]?.place ?? `venue ${venueId}`;
  const date = when === undefined ? ' Its date stays as it was.' : ` Its new date is ${when}.`;
  return `The event was moved to ${place}.${date}${added}`;
}
