import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { ChoiceAnswer } from '#domain/choice-events';
import type { Actor, NextActionName } from '#domain/next-action';
import type { Fulfillment } from '#domain/order-events';
import type { Stage } from '#domain/order-state';
import type { DeliveryRecord } from './delivery-records.js';
import type { SealedClaim } from './transfer-recipient.js';
import { DUE_SOURCES, DUE_TIME } from './due-time.js';
import type { StoredNote } from './event-notes.js';
import type { OrderSummary } from './order-row.js';
import type { PurchaseDocument } from './purchase-document.js';

export type ListedOrder = Readonly<{
  id: string;
  version: number;
  client_id: string;
  variant: 'payment' | 'wholesale';
  stage: Stage;
  external_id: string | null;
  speculative: boolean;
  total_cents: number;
  transaction_id: string;
  /** Of the listing; null if there is none. */
  section: string | null;
  row: string | null;
  seller: string | null;
  card_last4: string | null;
  tracking_number: string | null;
  placed_at: Date;
  updated_at: Date;
  /** Null when the order does not wait for the broker. */
  confirm_by: Date | null;
  purchase: PurchaseDocument;
  /** Null: `done`. */
  next_action: NextActionName | null;
  /** Null: `nobody`. */
  acts: Actor | null;
  /** When the next action is due. Null if nothing limits it. */
  action_due: Date | null;
  /** Null: as the delivery method says. */
  delivery_type: DeliveryRecord['type'] | null;
  /** What the buyer of a postponed show was asked. Null if nothing was. */
  choice_until: Date | null;
  choice_answer: ChoiceAnswer | null;
  choice_is_over: boolean | null;
  personal: Buffer | null;
  personal_data: OrderSummary['personal_data'];
  key: Buffer | null;
  /** The id and the name of the operator whom the order is assigned to. */
  assignee: string | null;
  assignee_name: string | null;
  tags: readonly string[];
  /** Counts the changes of tags and assignee. */
  desk_version: number;
}>;

export type DetailedOrder = ListedOrder &
  Readonly<{
    summary: OrderSummary;
    has_refund: boolean;
    sealed_claims: readonly SealedClaim[] | null;
    /** The sealed labels of its ticket files, base64, by their ids. Null without files. */
    ticket_labels: Readonly<Record<string, string>> | null;
    history: readonly (StoredNote & Readonly<{ actor: string }>)[];
    corrections: readonly FulfillmentCorrection[];
  }>;

/** A fulfillment that was replaced without a new status. */
export type FulfillmentCorrection = StoredNote &
  Readonly<{ actor: string; fulfillment: Fulfillment; recorded_at: string }>;

/** The columns of a listed order that do not follow from its events. */
export const BESIDE_COLUMNS = `o.summary ->> 'personal_data' as personal_data, k.key,
  seating.terms ->> 'section' as section, seating.terms ->> 'row' as row, d.assignee, coalesce(d.tags, '{}') as tags, coalesce(d.version, 0) as desk_version, p.name as assignee_name`;

/** The columns of a listed order, and the tables that they come from. */
const LISTED_COLUMNS = `o.id, o.version, o.client_id, o.variant, o.stage, o.total_cents, o.transaction_id,
  o.seller, o.card_last4, o.tracking_number,
  o.placed_at, o.updated_at, o.next_action, o.acts, ${DUE_TIME} as action_due, o.summary #>> '{delivery,type}' as delivery_type, case when o.due_for = 'confirmation' then o.due_at end as confirm_by, o.purchase, o.personal,
  o.external_id, o.speculative, o.choice_until, o.choice_answer, o.choice_until <= now() as choice_is_over, ${BESIDE_COLUMNS}`;
export const LISTED_SOURCE = `orders o left join personal_data_keys k on k.order_id = o.id
  left join order_desk d on d.order_id = o.id left join operators p on p.id = d.assignee
  left join listings seating on seating.id = o.listing_id`;
const DUE_SOURCE = `${LISTED_SOURCE} ${DUE_SOURCES}`;

export const TICKET_LABELS = `(select json_object_agg(t.id, translate(encode(t.sealed, 'base64'), E'\\n', ''))
  from order_tickets t where t.order_id = o.id) as ticket_labels`;

/**
 * The orders that were found, in any order. Its plan is kept, because planning it took longer than running it, and twice as long as
 * finding the ids.
 */
export async function listedOrders(
  pool: Pick<Pool, 'query'>,
  found: readonly Readonly<{ id: string }>[],
): Promise<ListedOrder[]> {
  if (found.length === 0) return [];
  const values = [found.map(({ id }) => id)];
  const { rows } = await pool.query<ListedOrder>({ name: 'listed-orders', text: LISTED_BY_ID, values });
  return rows;
}

const LISTED_BY_ID = `select ${LISTED_COLUMNS} from ${DUE_SOURCE} where o.id = any($1)`;

/** An erasure reaches the notes of earlier corrections, which only the log has. */
const ERASED_AT = `coalesce((select max(x.position) from events x
  where x.stream = 'order-' || o.id and x.type = 'PersonalDataErased'), 0)`;

/** Its plan is kept too. Twelve tables and all partitions of the log took PostgreSQL longer to plan than to read. */
const DETAIL = `select ${LISTED_COLUMNS}, o.summary, o.has_refund, o.sealed_claims, ${TICKET_LABELS},
    (select coalesce(json_agg(json_build_object('position', h.position, 'actor', h.actor, 'note', h.note,
       'sealed_note', h.sealed_note)
       order by h.sequence), '[]') from status_history h where h.order_id = o.id) as history,
    (select coalesce(json_agg(json_build_object('position', e.position, 'actor', e.metadata ->> 'actor',
       'note', case when e.position > ${ERASED_AT} then e.data ->> 'note' end, 'sealed_note', e.data ->> 'sealed_note',
       'fulfillment', e.data -> 'fulfillment', 'recorded_at', e.recorded_at)
       order by e.position), '[]')
     from events e where e.stream = 'order-' || o.id and e.type = 'FulfillmentCorrected') as corrections
  from ${DUE_SOURCE} where o.id = $1`;

@Injectable()
export class OrderQueries {
  constructor(private readonly pool: Pool) {}

  async find(id: string): Promise<DetailedOrder | undefined> {
    const { rows } = await this.pool.query<DetailedOrder>({ name: 'order-detail', text: DETAIL, values: [id] });
    return rows[0];
  }
}
