import type { Pool } from 'pg';
import { BatchedLookup } from '#database/batched-lookup';
import { type IndexedKind, wireDocument } from './row-queries.js';

// A document of an event is 2 to 8 kB: some 25,000 of those asked for last. To read ten that are not there costs the api and
// Postgres more than all the rest of a search.
const KEPT_CHARACTERS = 80_000_000;

/** Wire-ready documents by primary key; those asked for last stay in memory until they change. */
export class Documents {
  private readonly kept = new Map<string, string>();
  private characters = 0;
  /** Grows with every change: what was read before one is not kept after it. */
  private changes = 0;
  private readonly lookups = {
    events: this.lookup('events'),
    performers: this.lookup('performers'),
    venues: this.lookup('venues'),
  } satisfies Record<IndexedKind, unknown>;

  constructor(private readonly pool: Pool) {}

  /** In the order of the ids; those that are gone are left out. */
  async read(kind: IndexedKind, ids: readonly number[]): Promise<string[]> {
    const found = await this.find(kind, ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** By id; those that are gone are left out. */
  async find(kind: IndexedKind, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    const missing: number[] = [];
    for (const id of ids) {
      const document = this.recall(`${kind} ${id}`);
      if (document === undefined) missing.push(id);
      else found.set(id, document);
    }
    if (missing.length > 0) await this.readInto(found, kind, missing);
    return found;
  }

  /** Reads past what is kept. */
  one(kind: IndexedKind, id: number): Promise<string | undefined> {
    return this.lookups[kind].find(id);
  }

  forget(kind: string, id: number): void {
    this.changes++;
    if (kind === 'everything') {
      this.kept.clear();
      this.characters = 0;
    } else this.drop(`${kind} ${id}`);
  }

  private async readInto(found: Map<number, string>, kind: IndexedKind, ids: readonly number[]): Promise<void> {
    const changesBefore = this.changes;
    const documents = await Promise.all(ids.map((id) => this.lookups[kind].find(id)));
    for (const [at, id] of ids.entries()) {
      const document = documents[at];
      if (document === undefined) continue;
      found.set(id, document);
      if (this.changes === changesBefore) this.keep(`${kind} ${id}`, document);
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
    return new Map(rows.map(({ id, document }) => [id, document]));
  }

  /** The map is in the order of use: what was just used goes to its end. */
  private recall(key: string): string | undefined {
    const document = this.kept.get(key);
    if (document === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, document);
    return document;
  }

  private keep(key: string, document: string): void {
    this.drop(key);
    this.kept.set(key, document);
    this.characters += document.length;
    for (const oldest of this.kept.keys()) {
      if (this.characters <= KEPT_CHARACTERS) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.characters -= this.kept.get(key)?.length ?? 0;
    this.kept.delete(key);
  }
}
