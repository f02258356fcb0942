import type { Pool } from 'pg';
import { type ChangedKind, IndexLoader } from './index-loader.js';
import type { CatalogueIndex } from '../columns/catalogue-index.js';

type Change = Readonly<{ kind: ChangedKind | 'postal_codes' | 'everything'; id: number; changed_in: string }>;
type Check = Readonly<{ horizon: string; changes: readonly Change[] }>;

// So many changes take half a second, which a search awaits. Beyond that, searches continue on the older index meanwhile.
const MAX_CHANGES_AWAITED = 5_000;

// While a transaction stays open, every check returns all changes since it began. Beyond this number, searches skip the check for a
// while.
const MAX_CHANGES_SCANNED = 20_000;
const PAUSE_MS = 1_000;

export class IndexFollower {
  generation = 0;
  private readonly loader: IndexLoader;
  /** The index contains all changes of transactions below this id. */
  private horizon: string | undefined;
  /** Applied changes of later transactions: key to transaction id. */
  private applied = new Map<string, string>();
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private catchingUp = false;
  /** Counts restores of the database, so that a load that began before one is discarded. */
  private restores = 0;

  constructor(
    private readonly pools: Readonly<Record<'primary' | 'replica', Pick<Pool, 'query'>>>,
    index: CatalogueIndex,
    private readonly onChange: (change: Pick<Change, 'kind' | 'id'>) => void,
  ) {
    this.loader = new IndexLoader(pools.replica, index);
  }

  /**
   * Resolves when the index contains everything committed before the call; with thousands of changes at once, to apply them in the
   * background. All calls that arrive during one check share the next check.
   */
  current(): Promise<void> {
    if (this.catchingUp) return Promise.resolve();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.running = this.refresh();
        return this.running;
      });
    return this.next;
  }

  /** Call this after the database was restored. The next search waits for a full reload. */
  reset(): void {
    this.restores++;
    this.generation++;
    this.horizon = undefined;
    this.applied.clear();
    this.catchingUp = false;
  }

  private async refresh(): Promise<void> {
    const { horizon, restores } = this;
    if (horizon === undefined) return this.loadAll();
    const check = await this.check(horizon);
    if (restores !== this.restores) return this.refresh();
    const newChanges = check.changes.filter((change) => this.applied.get(keyOf(change)) !== change.changed_in);
    if (newChanges.length <= MAX_CHANGES_AWAITED) {
      await this.apply(check, newChanges);
      if (check.changes.length > MAX_CHANGES_SCANNED) this.pauseChecks();
      return;
    }
    this.catchingUp = true;
    void this.apply(check, newChanges)
      .catch(() => undefined)
      .finally(() => {
        if (restores === this.restores) this.catchingUp = false;
      });
  }

  private pauseChecks(): void {
    this.catchingUp = true;
    setTimeout(() => (this.catchingUp = false), PAUSE_MS).unref();
  }

  /** Changes that are committed during the load lie above the horizon, so the next check applies them. */
  private async loadAll(): Promise<void> {
    const { horizon } = await this.check(undefined);
    const { restores } = this;
    await this.loader.loadAll();
    if (restores !== this.restores) return this.loadAll();
    this.generation++;
    this.horizon = horizon;
  }

  private async check(since: string | undefined): Promise<Check> {
    const { rows } = await this.pools.primary.query<{ horizon: string } & Change>({
      name: 'catalogue-changes',
      // A transaction may commit after one that began later, so each check starts at the oldest one that still runs.
      text: `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, kind, id, changed_in::text
        from (select 1) as always left join discovery_changes on changed_in >= $1::xid8`,
      values: [since],
    });
    return { horizon: rows[0]?.horizon ?? '0', changes: rows.filter(({ kind }) => kind !== null) };
  }

  private async apply({ horizon, changes }: Check, fresh: readonly Change[]): Promise<void> {
    const { restores } = this;
    if (fresh.length > 0) {
      if (fresh.some(({ kind }) => kind === 'everything')) await this.loader.loadAll();
      for (const [kind, ids] of byKind(fresh)) await this.loader.load(kind, ids);
      for (const change of fresh) this.onChange(change);
      this.generation++;
    }
    if (restores !== this.restores) return;
    const stillVisible = changes.filter(({ changed_in: transaction }) => BigInt(transaction) >= BigInt(horizon));
    this.applied = new Map(stillVisible.map((change) => [keyOf(change), change.changed_in]));
    this.horizon = horizon;
  }
}

const keyOf = ({ kind, id }: Change) => `${kind} ${id}`;

function byKind(changes: readonly Change[]): Map<ChangedKind, number[]> {
  const kinds = new Map<ChangedKind, number[]>();
  for (const { kind, id } of changes) {
    if (kind === 'everything' || kind === 'postal_codes') continue;
    const ids = kinds.get(kind);
    if (ids) ids.push(id);
    else kinds.set(kind, [id]);
  }
  return kinds;
}
