import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import type { ParsedCondition } from '#orders/order-condition.contract';
import type { JobState } from './job.contract.js';
import type { ExportArguments } from './order-export.contract.js';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import type { JobRow } from './job.js';
import type { SearchAccess } from '#orders/order-finder';
import { JobFiles } from './files/job-files.js';
import { orderLineSplitter } from './files/order-import.js';

/** What an export asks for, as it is stored: sealed, because a condition may name a buyer. */
export type StoredExport = Readonly<{
  where?: ParsedCondition;
  ids?: readonly string[];
  access: SearchAccess;
}>;

export type NewExport = Readonly<{
  arguments: ExportArguments;
  selection: Readonly<{ where?: ParsedCondition | undefined; ids?: readonly string[] | undefined }>;
  /** As the view of the job shows it. */
  shownSelection: JobRow['selection'];
  access: SearchAccess;
  /** Shows buyers' data without masks. */
  inClear: boolean;
  requestedBy: string;
}>;

/** The complete file of an export. */
export type JobFile = Readonly<{
  job_id: string;
  name: string;
  type: string;
  /** It shows personal data without masks. */
  in_clear: boolean;
  attempt: number;
  bytes: number;
  expires_at: Date;
}>;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

// A sender may be silent for a minute (long-upload.ts). An upload that nobody continues for longer has lost its api.
const UPLOAD_LEASE_MS = 150_000;
const LEASE_AGAIN_MS = 10_000;

export const jobRequestContext = (jobId: string): string => jobId;

/** Begins exports and imports, which a worker does. An import waits for a second person, and so does an export in clear. */
@Injectable()
export class OrderTransferJobs {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
    private readonly files: JobFiles,
  ) {}

  /** Returns the id of the job. @param total the number of orders that it has now */
  async beginExport({ arguments: given, selection, access, ...job }: NewExport, total: number): Promise<string> {
    const id = this.ids.next('job');
    const request = Buffer.from(JSON.stringify({ ...selection, access }));
    const name = `orders-${this.clock.iso().slice(0, 10)}.${given.format}`;
    await inTransaction(this.pool, async (client) => {
      const state = job.inClear ? 'waiting_for_approval' : 'running';
      await this.insert(client, { id, kind: 'export_orders', state, given, total, ...job });
      await client.query(INSERT_FILE, [
        id,
        name,
        TYPES[given.format],
        job.inClear,
        this.sealer.seal('job-request', jobRequestContext(id), request),
      ]);
    });
    return id;
  }

  /** Stores an upload, whose import then waits. Returns the id of the job. Nothing remains of an upload that breaks off. */
  async beginImport(upload: AsyncIterable<Uint8Array>, requestedBy: string): Promise<string> {
    const id = this.ids.next('job');
    const begun = { id, kind: 'import_orders', state: 'waiting_for_approval' } as const;
    const job = { ...begun, given: {}, requestedBy, shownSelection: {}, total: 0 };
    await inTransaction(this.pool, async (client) => {
      await this.insert(client, job);
      await client.query(INSERT_FILE, [id, 'orders.ndjson', TYPES.ndjson, true, null]);
      await client.query(LEASE_UPLOAD, [id, UPLOAD_LEASE_MS]);
    });
    try {
      let total = 0;
      const splitter = orderLineSplitter();
      let leasedAt = performance.now();
      const counted = async function* (pool: Pool) {
        for await (const chunk of upload) {
          for (const _ of splitter.split(chunk)) total += 1;
          yield chunk;
          if (performance.now() - leasedAt < LEASE_AGAIN_MS) continue;
          await pool.query(LEASE_UPLOAD, [id, UPLOAD_LEASE_MS]);
          leasedAt = performance.now();
        }
        for (const _ of splitter.end()) total += 1;
      };
      const bytes = await this.files.write(id, 0, counted(this.pool));
      await this.pool.query(END_UPLOAD, [id, total, bytes]);
    } catch (error) {
      await this.pool.query('delete from jobs where id = $1', [id]).catch(() => undefined);
      throw error;
    }
    return id;
  }

  /** What an export asks for that waits. */
  async requestOf(jobId: string): Promise<StoredExport> {
    const { rows } = await this.pool.query<{ request: Buffer }>('select request from job_files where job_id = $1', [
      jobId,
    ]);
    return openedRequest(this.sealer, jobId, rows[0]?.request);
  }

  /** The file of an import that waits. Undefined while it is uploaded. */
  async uploadOf(jobId: string): Promise<AsyncIterable<Buffer> | undefined> {
    const { rowCount } = await this.pool.query('select from job_files where job_id = $1 and bytes is not null', [
      jobId,
    ]);
    return rowCount === 1 ? this.files.read(jobId, 0) : undefined;
  }

  /** Undefined if the job has no file, not yet, or no longer. */
  async find(jobId: string): Promise<JobFile | undefined> {
    return (await this.filesOf([jobId])).get(jobId);
  }

  /** Of these jobs, those that are complete and were not removed yet. */
  async filesOf(jobIds: readonly string[]): Promise<ReadonlyMap<string, JobFile>> {
    const { rows } = await this.pool.query<JobFile>(COMPLETE, [jobIds, this.clock.iso()]);
    return new Map(rows.map((file) => [file.job_id, file]));
  }

  read({ job_id: id, attempt }: JobFile): AsyncGenerator<Buffer> {
    return this.files.read(id, attempt);
  }

  private async insert(
    client: ClientBase,
    { id, kind, state, given, total, ...job }: NewOrderTransfer & Pick<NewExport, 'requestedBy' | 'shownSelection'>,
  ): Promise<void> {
    const values = [id, kind, JSON.stringify(given), JSON.stringify(job.shownSelection), total, job.requestedBy];
    await client.query(INSERT_JOB, [...values, this.clock.iso(), state]);
  }
}

type NewOrderTransfer = Readonly<{ id: string; kind: string; state: JobState; given: object; total: number }>;

export function openedRequest(sealer: Sealer, jobId: string, request: Buffer | null | undefined): StoredExport {
  return parseJson(
    sealer.open('job-request', jobRequestContext(jobId), request ?? Buffer.alloc(0)).toString(),
  ) as StoredExport;
}

const INSERT_JOB = `
  insert into jobs (id, kind, state, arguments, selection, total, requested_by, requested_at, started_at)
  values ($1, $2, $8, $3, $4, $5, $6, $7, case when $8 = 'running' then $7::timestamptz end)`;

const INSERT_FILE = `insert into job_files (job_id, name, type, in_clear, request) values ($1, $2, $3, $4, $5)`;

const LEASE_UPLOAD = `
  update job_files set leased_until = clock_timestamp() + $2::float8 * interval '1 ms' where job_id = $1`;

// Nobody approves an upload without its size. It may have been cancelled meanwhile.
const END_UPLOAD = `
  with complete as (update job_files set bytes = $3, leased_until = null where job_id = $1)
  update jobs set total = $2 where id = $1 and state = 'waiting_for_approval'`;

// Only exports have an end: an upload is nobody's to read.
const COMPLETE = `
  select job_id, name, type, in_clear, attempt, bytes, expires_at from job_files
  where job_id = any($1) and bytes is not null and expires_at > $2`;
