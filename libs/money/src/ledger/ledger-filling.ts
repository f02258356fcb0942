import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#database/transaction';
import { readStreams } from '#event-store/stream-scan';
import { LEDGER_COLUMNS, type LedgerRow, ledgerRows } from '#orders/ledger-entries.projection';
import { Logger } from '#platform/logger';

// About a tenth of a second of work.
const STREAMS_AT_ONCE = 200;

/** Adds the ledger's rows of orders from versions without a ledger, once, from the first stream to the last. */
@Injectable()
export class LedgerFilling {
  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
  ) {}

  /** Does some orders, unless another process does. Returns whether there may be more. */
  async run(): Promise<boolean> {
    const filled = await inTransaction(this.pool, (client) => fill(client));
    if (filled === 'end') this.logger.info({}, 'the ledger has the entries of earlier orders');
    return filled === 'some';
  }
}

async function fill(client: PoolClient): Promise<'nothing' | 'some' | 'end'> {
  const { rows: places } = await client.query<{ read_to: string }>(NEXT);
  const [place] = places;
  if (!place) return 'nothing';
  // The form of texts that `readStreams` expects.
  await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'; set local bytea_output = 'hex'`);
  const { rows: found } = await client.query<{ stream: string }>(STREAMS, [place.read_to, STREAMS_AT_ONCE]);
  const streams = await readStreams(
    client,
    found.map(({ stream }) => stream),
  );
  await write(client, streams.flatMap(ledgerRows));
  const isEnd = found.length < STREAMS_AT_ONCE;
  await client.query(ADVANCE, [found.at(-1)?.stream ?? place.read_to, isEnd]);
  return isEnd ? 'end' : 'some';
}

/** An event that this version appended has its row already. */
async function write(client: PoolClient, rows: readonly LedgerRow[]): Promise<void> {
  const columns = Object.keys(LEDGER_COLUMNS) as (keyof LedgerRow)[];
  await client.query(
    ADD,
    columns.map((column) => rows.map((row) => row[column])),
  );
}

const NEXT = 'select read_to from ledger_filling where done_at is null for update skip locked';

const STREAMS = 'select stream from events where position = 1 and stream > $1 order by stream limit $2';

const ADVANCE = 'update ledger_filling set read_to = $1, done_at = case when $2 then now() end';

const names = Object.keys(LEDGER_COLUMNS);

// Arrays as texts, because PostgreSQL has no array of arrays of different lengths.
const ADD = `
  insert into ledger_entries (${names.join(', ')})
  select ${names.map((name) => `${name}::${LEDGER_COLUMNS[name as keyof LedgerRow]}`).join(', ')}
  from unnest(${names.map((name, index) => `$${index + 1}::${name === 'position' ? 'int' : 'text'}[]`).join(', ')}) as given (${names.join(', ')})
  on conflict do nothing`;
