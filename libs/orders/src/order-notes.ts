import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { tellOperators } from '#accounts/inbox';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { CardDataPolicy } from './card-data-policy.js';

/** Who sees a note: colleagues only, or the brokers of the order's seller too. */
export type NoteVisibility = 'internal' | 'partner';

/** `at` is ISO 8601. `text` is null after the buyer's data was erased, and for a note that does not open. */
export type OrderNote = Readonly<{
  id: string;
  at: string;
  author: string;
  visibility: NoteVisibility;
  text: string | null;
  /** The ids of operators. */
  mentions: readonly string[];
}>;

export type NewOrderNote = Readonly<{
  author: string;
  visibility: NoteVisibility;
  text: string;
  /** The ids of operators, who get a notice with the note. */
  mentions?: readonly string[];
}>;

/** Notes on orders. The database holds them sealed, under the order's own key if it has one. */
@Injectable()
export class OrderNotes {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
    private readonly policy: CardDataPolicy,
  ) {}

  /** Undefined if there is no such order. @throws DomainError if the text has card data and the settings refuse it */
  async add(
    orderId: string,
    { author, visibility, text: given, mentions = [] }: NewOrderNote,
  ): Promise<OrderNote | undefined> {
    const text = this.policy.admit('text', given);
    const { rows } = await this.pool.query<OrderKey>(ORDER_KEY, [orderId]);
    const [order] = rows;
    if (!order) return undefined;
    const note = { id: this.ids.next('not'), at: this.clock.iso(), author, visibility, mentions };
    const sealed = this.seal(orderId, note.id, order, text);
    const values = [note.id, orderId, note.at, author, visibility, sealed, mentions];
    if (mentions.length === 0) await this.pool.query(ADD, values);
    else
      await inTransaction(this.pool, async (client) => {
        await client.query(ADD, values);
        await tellOperators(client, { kind: 'mention', to: mentions, orderId, actor: author, at: note.at });
      });
    return { ...note, text };
  }

  /** Adds the same note to several orders, in the transaction of the caller. Orders that do not exist get none. */
  async addToAll(client: ClientBase, orderIds: readonly string[], given: NewOrderNote): Promise<void> {
    const text = this.policy.admit('text', given.text);
    const { rows } = await client.query<OrderKey & { id: string }>(ORDER_KEYS, [orderIds]);
    const at = this.clock.iso();
    const notes = rows.map((order) => {
      const id = this.ids.next('not');
      return { id, order_id: order.id, sealed: this.seal(order.id, id, order, text) };
    });
    await client.query(ADD_ALL, [JSON.stringify(notes), at, given.author, given.visibility]);
  }

  /** Oldest first. */
  async ofOrder(orderId: string, visibilities: readonly NoteVisibility[]): Promise<OrderNote[]> {
    const values = [orderId, visibilities];
    const { rows } = await this.pool.query<NoteRow>({ name: 'notes-of-order', text: OF_ORDER, values });
    return rows.map(({ id, at, author, visibility, sealed, key, mentions }) => {
      return { id, at: at.toISOString(), author, visibility, mentions, text: this.open(orderId, id, key, sealed) };
    });
  }

  private seal(orderId: string, id: string, { key, personal }: OrderKey, text: string): string {
    if (key) return `${UNDER_ORDER_KEY}${this.sealer.sealNote(orderId, id, key, text, personal).toString('base64')}`;
    const sealed = this.sealer.seal('order-note', mainNoteContext(orderId, id), Buffer.from(text));
    return `${UNDER_MAIN_KEY}${sealed.toString('base64')}`;
  }

  private open(orderId: string, id: string, key: Buffer | null, sealed: string): string | null {
    try {
      const bytes = Buffer.from(sealed.slice(sealed.indexOf(':') + 1), 'base64');
      if (sealed.startsWith(UNDER_MAIN_KEY)) {
        return this.sealer.open('order-note', mainNoteContext(orderId, id), bytes).toString();
      }
      return key && this.sealer.openNote(orderId, id, key, bytes);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}

// An order without a buyer's data, or whose data was erased, has no key of its own.
const UNDER_ORDER_KEY = 'order:';
export const UNDER_MAIN_KEY = 'main:';

/** What binds a note that is sealed with the main key to its row. */
export const mainNoteContext = (orderId: string, noteId: string): string => `${orderId}/${noteId}`;

type OrderKey = Readonly<{ key: Buffer | null; personal: Buffer | null }>;

type NoteRow = {
  id: string;
  at: Date;
  author: string;
  visibility: NoteVisibility;
  sealed: string;
  key: Buffer | null;
  mentions: string[];
};

const ORDER_KEY = `
  select k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id where o.id = $1`;

const ORDER_KEYS = `
  select o.id, k.key, o.personal from orders o left join personal_data_keys k on k.order_id = o.id where o.id = any($1)`;

const ADD_ALL = `
  insert into order_notes (id, order_id, at, author, visibility, sealed)
  select id, order_id, $2, $3, $4, sealed from json_to_recordset($1) as given (id text, order_id text, sealed text)`;

const ADD = `
  insert into order_notes (id, order_id, at, author, visibility, sealed, mentions) values ($1, $2, $3, $4, $5, $6, $7)`;

const OF_ORDER = `
  select n.id, n.at, n.author, n.visibility, n.sealed, n.mentions, k.key
  from order_notes n left join personal_data_keys k on k.order_id = n.order_id
  where n.order_id = $1 and n.visibility = any($2) order by n.id`;
