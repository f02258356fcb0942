import { rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { CardDataPolicy } from '#orders/card-data-policy';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { OrderFinder } from '#orders/order-finder';
import { OrderExport, type ExportRequest } from '#desk/files/order-export';
import { OrderImport, orderLineSplitter } from '#desk/files/order-import';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { EventArchive } from '#event-store/event-archive';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { temporaryFolder } from '../temporary-folder.js';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../database.js';

/** What a person may see who sees all. */
export const ALL = { sellers: undefined, buyers: true };
/** Who imports. */
export const ORIGIN = { job: 'job_1', actor: 'operator:opr_1' };

/** An installation with its own database and its own key. */
export class Installation {
  readonly sealer = new Sealer(randomBytes(32), new SystemRandomness());
  readonly #folder = temporaryFolder('files');
  readonly files = new FolderObjectStore(this.#folder);
  readonly archive = new EventArchive(this.files);
  readonly importing: OrderImport;
  readonly exporting: OrderExport;

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    readonly owner: Pool,
  ) {
    const clock = new SystemClock();
    const ids = new TimeOrderedIds();
    const policy = new CardDataPolicy({ CARD_DATA_IN_FREE_FIELDS: 'refuse' } as Settings);
    this.importing = new OrderImport(this.sealer, new OrderRules(loadStatusCatalogue()), policy, clock, ids);
    const finder = new OrderFinder(pool, clock, this.sealer);
    this.exporting = new OrderExport(pool, finder, this.sealer, this.archive);
  }

  static async start(): Promise<Installation> {
    const database = await createTestDatabase();
    const databaseUrl = applicationUrl(database.url);
    const pool = createPool({ databaseUrl, max: 4, applicationName: 'test', onError: () => undefined });
    return new Installation(database, pool, ownerPool(database.url));
  }

  async stop(): Promise<void> {
    await Promise.all([this.pool.end(), this.owner.end()]);
    await this.database.drop();
    rmSync(this.#folder, { recursive: true });
  }

  async import(lines: Buffer) {
    const splitter = orderLineSplitter();
    const read = await this.importing.read([...splitter.split(lines), ...splitter.end()], ORIGIN);
    return await this.importing.write(this.pool, read);
  }

  async preview(lines: Buffer) {
    const splitter = orderLineSplitter();
    const client = await this.pool.connect();
    try {
      return await this.importing.preview(client, [...splitter.split(lines), ...splitter.end()]);
    } finally {
      client.release();
    }
  }

  async export(request: Partial<ExportRequest> = {}): Promise<Buffer> {
    const pieces: Buffer[] = [];
    const all = { format: 'ndjson', selection: {}, access: ALL, isMasked: false, ...request } as const;
    for await (const piece of this.exporting.bytes(all)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.owner.query<{ count: number }>(`select count(*)::int from ${table}`);
    return rows[0]?.count ?? 0;
  }
}
