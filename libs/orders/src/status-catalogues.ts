import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseError, Pool } from 'pg';
import { Settings } from '#base/settings';
import { parseStatusCatalogue } from '#base/status-catalogue-file.contract';
import { afterWrite } from '#database/database-errors';
import { DatabaseEpoch } from '#database/epoch';
import { domainError } from '#domain/domain-error';
import { catalogueIssues, type CatalogueIssue, type StatusCatalogueFile } from '#domain/status-catalogue';
import { withTimeout } from '#base/with-timeout';
import { OrderRules } from './order-changes.js';
import { builtInCatalogueFile } from './status-catalogue-file.js';

/** A catalogue without its version, as staff write it. */
export type CatalogueDraft = Omit<StatusCatalogueFile, 'version'>;

export type SavedCatalogue = Readonly<{ version: number; saved_by: string; saved_at: Date }>;

const FIRST_READ_WITHIN_MS = 2_000;
const UNIQUE_VIOLATION = '23505';
const MOST_LISTED = 50;

/** The catalogues in the database. A file that the settings name replaces them all. */
@Injectable()
export class StatusCatalogues implements OnModuleInit {
  #version: number | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly rules: OrderRules,
    private readonly settings: Settings,
    epoch: DatabaseEpoch,
  ) {
    epoch.onChange(() => (this.#version = undefined));
  }

  /** True if a file decides, so that nothing can be saved. */
  get isFromFile(): boolean {
    return this.settings.STATUS_CATALOGUE_FILE !== undefined;
  }

  /** A database that is away is read later. Until then the rules refuse to decide. */
  async onModuleInit(): Promise<void> {
    await withTimeout(this.refresh(), FIRST_READ_WITHIN_MS, 'reading the status catalogue').catch(() => undefined);
  }

  /** Takes the newest catalogue into use, if it is not yet. */
  async refresh(): Promise<void> {
    if (this.isFromFile) return;
    const { rows } = await this.pool.query<{ version: number; file: StatusCatalogueFile | null }>(NEWEST, [
      this.#version ?? null,
    ]);
    const [newest] = rows;
    const version = newest?.version ?? 0;
    if (version === this.#version) return;
    this.rules.use(parseStatusCatalogue(newest?.file ?? builtInCatalogueFile()));
    this.#version = version;
  }

  /** As it was written, with the defaults left out. Not for a catalogue from a file. */
  async current(): Promise<StatusCatalogueFile> {
    return await currentCatalogueFile(this.pool);
  }

  /** Newest first, without the built-in one. */
  async history(): Promise<readonly SavedCatalogue[]> {
    return (await this.pool.query<SavedCatalogue>(HISTORY)).rows;
  }

  /** What is wrong with a draft; empty if it can be saved. */
  async issuesOf(draft: CatalogueDraft): Promise<CatalogueIssue[]> {
    return [...catalogueIssues(draft), ...(await this.issuesOfOrders(draft))];
  }

  /**
   * Saves a draft without issues as the next version, and takes it into use here. Other processes follow within seconds.
   * @param expected the version that the draft was made from; undefined for any
   * @throws DomainError if somebody else was faster
   */
  async save(draft: CatalogueDraft, savedBy: string, expected?: number): Promise<StatusCatalogueFile> {
    const { version } = await this.current();
    if (expected !== undefined && expected !== version) throw stale(version);
    const file = { version: version + 1, ...draft };
    try {
      await this.pool.query(SAVE, [file.version, JSON.stringify(file), savedBy]);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) throw stale(file.version);
      throw error;
    }
    await afterWrite(() => this.refresh());
    return file;
  }

  /** Orders keep the code they have, so it must stay and mean the same status. */
  private async issuesOfOrders({ statuses }: CatalogueDraft): Promise<CatalogueIssue[]> {
    const current = await this.current();
    const isKept = ({ status_code: code, status }: (typeof statuses)[number]) =>
      statuses.some((kept) => kept.status_code === code && kept.status === status);
    const lost = current.statuses.filter((status) => !isKept(status)).map(({ status_code: code }) => code);
    const { rows } = await this.pool.query<{ code: number }>(HAVE_ORDERS, [lost]);
    return rows.map(({ code }): CatalogueIssue => {
      const index = statuses.findIndex(({ status_code: given }) => given === code);
      return index < 0
        ? { path: ['statuses'], message: `${code} cannot be removed, because orders have it` }
        : { path: ['statuses', index, 'status'], message: 'cannot change, because orders have this code' };
    });
  }
}

const stale = (version: number) =>
  domainError('VERSION_STALE', `The status catalogue is at version ${version} by now.`);

/** The newest saved catalogue, or else the built-in one. */
export async function currentCatalogueFile(pool: Pool): Promise<StatusCatalogueFile> {
  const { rows } = await pool.query<{ file: StatusCatalogueFile }>(NEWEST, [null]);
  return rows[0]?.file ?? builtInCatalogueFile();
}

/** $1 the version that is known already. */
const NEWEST = `
  select version, case when version is distinct from $1::int then file end as file
  from status_catalogues order by version desc limit 1`;

const HISTORY = `
  select version, saved_by, saved_at from status_catalogues order by version desc limit ${MOST_LISTED}`;

const SAVE = 'insert into status_catalogues (version, file, saved_by, saved_at) values ($1, $2, $3, clock_timestamp())';

const HAVE_ORDERS = `
  select code from unnest($1::int[]) as code where exists (select from orders where status_code = code) order by code`;
