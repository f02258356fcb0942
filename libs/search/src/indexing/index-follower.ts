import type { Pool } from 'pg';
import { type ChangedKind, IndexLoader } from './index-loader.js';
import type { CatalogueIndex } from '../columns/catalogue-index.js';

type Change = Readonly<{ kind: ChangedKind | 'postal_codes' | 'everything'; id: number; changed_in: string }>;
type Check = Readonly<{ horizon: string; changes: readonly Change[] }>;

// Taken in within half a second: who imports a catalogue of this size finds it at once. With more, searches go on in what
// was known before.
const WAITED_FOR = 5_000;

// As long as some transaction stays open, all that changed since it began is told again at each look: with more than
// this, searches go without a look for a while.
const LOOKED_THROUGH = 20_000;
const REST_MS = 1_000;

/** Keeps an index as the database is. */
export class IndexFollower {
  /** Grows with whatever is taken in. */
  generation = 0;
  private readonly loader: IndexLoader;
  /** All changes of transactions before it are in the index. */
  private horizon: string | undefined;
  /** Changes of later transactions that are in the index, too: key to transaction. */
  private seen = new Map<string, string>();
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private catchingUp = false;
  /** How often the database was restored. */
  private restores = 0;

  constructor(
    private readonly pool: Pool,
    index: CatalogueIndex,
    private readonly onChange: (change: Pick<Change, 'kind' | 'id'>) => void,
  ) {
    this.loader = new IndexLoader(pool, index);
  }

  /**
   * When it resolves, the index has all that was committed before the call; unless thousands of rows changed at once, which are
   * taken in meanwhile. One look at the database serves all who come while the look before is under way.
   */
  current(): Promise<void> {
    if (this.catchingUp) return Promise.resolve();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.running = this.look();
        return this.running;
      });
    return this.next;
  }

  /** The next search waits until all has been read again. */
  forget(): void {
    this.restores++;
    this.generation++;
    this.horizon = undefined;
    this.seen.clear();
    this.catchingUp = false;
  }

  private async look(): Promise<void> {
    const { horizon, restores } = this;
    if (horizon === undefined) return this.begin();
    const check = await this.check(horizon);
    if (restores !== this.restores) return this.look();
    const fresh = check.changes.filter((change) => this.seen.get(keyOf(change)) !== change.changed_in);
    if (fresh.length <= WAITED_FOR) {
      await this.takeIn(check, fresh);
      if (check.changes.length > LOOKED_THROUGH) this.rest();
      return;
    }
    this.catchingUp = true;
    void this.takeIn(check, fresh)
      .catch(() => undefined)
      .finally(() => {
        if (restores === this.restores) this.catchingUp = false;
      });
  }

  private rest(): void {
    this.catchingUp = true;
    setTimeout(() => (this.catchingUp = false), REST_MS).unref();
  }

  /** What is committed while all is being loaded is after the horizon, and so taken in by the next look. */
  private async begin(): Promise<void> {
    const { horizon } = await this.check(undefined);
    const { restores } = this;
    await this.loader.loadAll();
    if (restores !== this.restores) return this.begin();
    this.generation++;
    this.horizon = horizon;
  }

  private async check(since: string | undefined): Promise<Check> {
    const { rows } = await this.pool.query<{ horizon: string } & Change>({
      name: 'catalogue-changes',
      // A transaction may commit after one that began later: all from the oldest that still runs are looked at again.
      text: `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, kind, id, changed_in::text
        from (select 1) as always left join discovery_changes on changed_in >= $1::xid8`,
      values: [since],
    });
    return { horizon: rows[0]?.horizon ?? '0', changes: rows.filter(({ kind }) => kind !== null) };
  }

  private async takeIn({ horizon, changes }: Check, fresh: readonly Change[]): Promise<void> {
    const { restores } = this;
    if (fresh.length > 0) {
      if (fresh.some(({ kind }) => kind === 'everything')) await this.loader.loadAll();
      for (const [kind, ids] of byKind(fresh)) await this.loader.load(kind, ids);
      for (const change of fresh) this.onChange(change);
      this.generation++;
    }
    if (restores !== this.restores) return;
    const still = changes.filter(({ changed_in: transaction }) => BigInt(transaction) >= BigInt(horizon));
    this.seen = new Map(still.map((change) => [keyOf(change), change.changed_in]));
    this.horizon = horizon;
  }
}

const keyOf = ({ kind, id }: Change) => `${kind} ${id}`;

function byKind(changes: readonly Change[]): Map<ChangedKind, number[]> {
  const kinds = new Map<ChangedKind, number[]>();
  for (const { kind, id } of changes) {
    // Postal codes are not in the index.
    if (kind === 'everything' || kind === 'postal_codes') continue;
    const ids = kinds.get(kind);
    if (ids) ids.push(id);
    else kinds.set(kind, [id]);
  }
  return kinds;
}
