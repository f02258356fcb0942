import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { OrderSearchSort } from '#orders/order-search.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';

/** What a view asks for, as it was sent. */
export type ViewQuestion = Readonly<{
  where: Readonly<Record<string, unknown>> | null;
  q: string | null;
  sort: OrderSearchSort;
  /** The question as the console's address writes it. */
  query: string | null;
}>;

export type NewSavedView = ViewQuestion & Readonly<{ name: string; columns: readonly string[]; shared: boolean }>;

/** `owner` is an actor, e.g. `operator:<id>`. */
export type StoredView = NewSavedView & Readonly<{ id: string; owner: string }>;

/** Searches that staff keep for themselves or share. The database holds the question sealed, because it may name a buyer. */
@Injectable()
export class SavedViews {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
  ) {}

  /** Those of the owner and all shared ones, by name. */
  async visibleTo(owner: string): Promise<StoredView[]> {
    const { rows } = await this.pool.query<ViewRow>(
      `select ${COLUMNS} from saved_views where owner = $1 or shared order by lower(name), id`,
      [owner],
    );
    return rows.map((row) => this.opened(row));
  }

  /** Undefined if it is unknown, or if another owner does not share it. */
  async find(id: string, owner: string): Promise<StoredView | undefined> {
    const { rows } = await this.pool.query<ViewRow>(
      `select ${COLUMNS} from saved_views where id = $1 and (owner = $2 or shared)`,
      [id, owner],
    );
    return rows.map((row) => this.opened(row))[0];
  }

  async add(view: NewSavedView, owner: string): Promise<StoredView> {
    const id = this.ids.next('viw');
    const { name, shared, columns } = view;
    const values = [id, owner, name, shared, this.sealed(id, view), columns, this.clock.iso()];
    await this.pool.query(ADD, values);
    return { ...view, id, owner };
  }

  async replace(id: string, view: NewSavedView): Promise<void> {
    const { name, shared, columns } = view;
    await this.pool.query(REPLACE, [id, name, shared, this.sealed(id, view), columns]);
  }

  async remove(id: string): Promise<void> {
    await this.pool.query('delete from saved_views where id = $1', [id]);
  }

  private sealed(id: string, { where, q, sort, query }: ViewQuestion): Buffer {
    return this.sealer.seal('saved-view', id, Buffer.from(JSON.stringify({ where, q, sort, query })));
  }

  private opened({ question, ...view }: ViewRow): StoredView {
    const asked = parseJson(this.sealer.open('saved-view', view.id, question).toString()) as StoredQuestion;
    return { ...view, query: null, ...asked };
  }
}

/** Views of older versions have no `query`. */
type StoredQuestion = Omit<ViewQuestion, 'query'> & Partial<Pick<ViewQuestion, 'query'>>;

type ViewRow = Omit<StoredView, keyof ViewQuestion> & { question: Buffer };

const COLUMNS = 'id, owner, name, shared, question, columns';

const ADD = `
  insert into saved_views (id, owner, name, shared, question, columns, created_at) values ($1, $2, $3, $4, $5, $6, $7)`;

const REPLACE = 'update saved_views set name = $2, shared = $3, question = $4, columns = $5 where id = $1';
