import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { copyRows } from '#database/copy-rows';
import { DatabaseClock } from '#database/database-clock';
import {
  type BegunReconciliation,
  type Difference,
  MOST_SHOWN,
  type Reconciliation,
} from './reconciliation.contract.js';
import { type RemittanceRow, remittanceRows } from './remittance-file.js';

type Times = 'from' | 'to' | 'as_of' | 'created_at';
type Summary = Omit<Reconciliation, 'differences'>;
type SummaryRow = Omit<Summary, Times | 'matched'> &
  Readonly<{ [Time in Times]: Date | null }> &
  Readonly<{ created_at: Date; matched: string }>;
type StoredLine = RemittanceRow & Readonly<{ reconciliation_id: string }>;
type Begun = Readonly<{ from: string | undefined; to: string | undefined; requestedBy: string }>;

/** Who asks for the daily comparison. */
const DAILY = 'system:reconciliation';

const ROWS_AT_ONCE = 1_000;

// A sender may be silent for a minute (long-upload.ts). An upload without a thousand lines in so long has lost its api.
const UPLOAD_LEASE_MS = 600_000;

/** Comparisons of our books with those of others. A worker does them (`ReconciliationRunner`). */
@Injectable()
export class Reconciliations {
  constructor(
    private readonly pool: Pool,
    private readonly ids: Ids,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Of the list of a provider. The times are ISO 8601, the second one is exclusive. */
  async beginList(provider: string, { from, to, requestedBy }: Begun): Promise<BegunReconciliation> {
    const id = this.ids.next('rec');
    await this.pool.query(BEGIN, [id, provider, null, from, to, requestedBy, this.clock.iso()]);
    return { id, state: 'running' };
  }

  /** The same once for each period, by whichever process comes first. */
  async beginDaily(provider: string, period: Readonly<{ from: string; to: string }>): Promise<void> {
    await this.beginList(provider, { ...period, requestedBy: DAILY });
  }

  /**
   * Of what a client paid: CSV with `ref_id` or `order_id`, `amount` and `paid_on`. With a period, orders of it that nobody paid differ too.
   * Nothing remains of a file that breaks off. @throws RemittanceFault that names the line
   */
  async beginRemittance(
    clientId: string,
    file: AsyncIterable<Uint8Array>,
    { from, to, requestedBy }: Begun,
  ): Promise<BegunReconciliation> {
    const id = this.ids.next('rec');
    await this.pool.query(BEGIN, [id, null, clientId, from, to, requestedBy, this.clock.iso()]);
    try {
      await this.store(id, file);
      await this.pool.query(END_UPLOAD, [id, this.clock.iso()]);
    } catch (error) {
      await this.pool.query(FORGET, [id]).catch(() => undefined);
      throw error;
    }
    return { id, state: 'running' };
  }

  async find(id: string): Promise<Reconciliation | undefined> {
    const { rows } = await this.pool.query<SummaryRow>(`select ${COLUMNS} from reconciliations where id = $1`, [id]);
    if (!rows[0]) return undefined;
    const differences = await this.pool.query<Difference>(DIFFERENCES, [id]);
    return { ...shown(rows[0]), differences: differences.rows };
  }

  /** Newest first. */
  async page({ limit, after }: Readonly<{ limit: number; after: string | undefined }>): Promise<Summary[]> {
    const { rows } = await this.pool.query<SummaryRow>(PAGE, [after ?? null, limit]);
    return rows.map(shown);
  }

  private async store(id: string, file: AsyncIterable<Uint8Array>): Promise<void> {
    let rows: StoredLine[] = [];
    const flush = async () => {
      await this.pool.query(LEASE_UPLOAD, [id]);
      const client = await this.pool.connect();
      try {
        await copyRows(client, 'remittance_lines', LINE_COLUMNS, rows);
      } finally {
        client.release();
      }
      rows = [];
    };
    for await (const row of remittanceRows(file)) {
      rows.push({ reconciliation_id: id, ...row });
      if (rows.length === ROWS_AT_ONCE) await flush();
    }
    await flush();
  }
}

function shown({ from, to, as_of, created_at, matched, ...row }: SummaryRow): Summary {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    ...row,
    from: iso(from),
    to: iso(to),
    as_of: iso(as_of),
    created_at: created_at.toISOString(),
    matched: Number(matched),
  };
}

const LINE_COLUMNS = ['reconciliation_id', 'number', 'given', 'is_ref_id', 'amount_cents', 'paid_on'];

const BEGIN = `
  insert into reconciliations (id, provider, client_id, from_at, to_at, requested_by, created_at, leased_until)
  values ($1, $2, $3, $4, $5, $6, $7, case when $3::text is not null then clock_timestamp() + interval '${UPLOAD_LEASE_MS} ms' end)
  on conflict (provider, from_at, to_at) where requested_by = '${DAILY}' do nothing`;

const LEASE_UPLOAD = `
  update reconciliations set leased_until = clock_timestamp() + interval '${UPLOAD_LEASE_MS} ms' where id = $1`;

const END_UPLOAD = `update reconciliations set is_read = true, as_of = $2, leased_until = null where id = $1`;

const FORGET = `
  with gone as (delete from remittance_lines where reconciliation_id = $1) delete from reconciliations where id = $1`;

const COLUMNS = `
  id, provider, client_id, from_at as "from", to_at as "to", state, as_of, matched, differing, error, created_at`;

const PAGE = `
  select ${COLUMNS} from reconciliations where $1::text is null or id < $1 order by id desc limit $2`;

const DIFFERENCES = `
  select kind, order_id, reference, ours, theirs from reconciliation_differences
  where reconciliation_id = $1 order by at, subject limit ${MOST_SHOWN}`;
