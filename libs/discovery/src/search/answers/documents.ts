import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { BatchedLookup } from '#database/batched-lookup';
import { withSafeAddresses } from '../../catalogue/safe-addresses.js';
import { withPublicAddresses } from '../../catalogue/writing/public-paths.js';
import { wireDocument } from '../../catalogue/wire-document-sql.js';
import { WireDocument } from '../query/wire-document.js';
import type { IndexedKind } from '../indexing/row-queries.js';

// An event document takes 2 to 8 kB, so this holds about 25,000. Reading ten uncached documents costs the api and Postgres more
// than the rest of a search.
const CACHE_BYTES = 80_000_000;

// One statement. A page of thousands must not take all connections of the pool, nor the event loop for long.
const READ_AT_ONCE = 100;

/** An LRU cache holds the documents used last until they change. */
export class Documents {
  private readonly cache = new LRUCache<string, WireDocument>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  /** Grows with every change. A document that was read before a change must not enter the cache after it. */
  private changes = 0;
  private readonly lookups = {
    events: this.lookup('events'),
    performers: this.lookup('performers'),
    venues: this.lookup('venues'),
  } satisfies Record<IndexedKind, unknown>;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly publicUrl: string,
  ) {}

  async read(kind: IndexedKind, ids: readonly number[]): Promise<WireDocument[]> {
    const found = await this.find(kind, ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Deleted documents are left out. */
  async find(kind: IndexedKind, ids: readonly number[]): Promise<ReadonlyMap<number, WireDocument>> {
    const found = new Map<number, WireDocument>();
    const missing: number[] = [];
    for (const id of ids) {
      const document = this.cache.get(`${kind} ${id}`);
      if (document === undefined) missing.push(id);
      else found.set(id, document);
    }
    if (missing.length > 0) await this.readInto(found, kind, missing);
    return found;
  }

  one(kind: IndexedKind, id: number): Promise<string | undefined> {
    return this.lookups[kind].find(id);
  }

  invalidate(kind: string, id: number): void {
    this.changes++;
    if (kind === 'everything') this.cache.clear();
    else this.cache.delete(`${kind} ${id}`);
  }

  private async readInto(found: Map<number, WireDocument>, kind: IndexedKind, ids: readonly number[]) {
    const changesBefore = this.changes;
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      const group = ids.slice(start, start + READ_AT_ONCE);
      const documents = await Promise.all(group.map((id) => this.lookups[kind].find(id)));
      for (const [at, id] of group.entries()) {
        const json = documents[at];
        if (json === undefined) continue;
        const document = WireDocument.of(json);
        found.set(id, document);
        if (this.changes === changesBefore) this.cache.set(`${kind} ${id}`, document);
      }
    }
  }

  private lookup(kind: IndexedKind): BatchedLookup<number, string> {
    return new BatchedLookup(async (ids) => {
      const documents = await this.select(kind, ids);
      return ids.map((id) => documents.get(id));
    });
  }

  private async select(kind: IndexedKind, ids: readonly number[]): Promise<Map<number, string>> {
    const { rows } = await this.pool.query<{ id: number; document: string }>({
      name: `documents-of-${kind}`,
      text: `select id, ${wireDocument(kind)} as document from discovery_${kind} where id = any ($1)`,
      values: [ids],
    });
    const sent = (document: string) => withPublicAddresses(withSafeAddresses(document), this.publicUrl);
    return new Map(rows.map(({ id, document }) => [id, sent(document)]));
  }
}
