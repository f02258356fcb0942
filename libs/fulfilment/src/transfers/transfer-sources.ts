import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { inTransaction } from '#database/transaction';

export type TransferSource = Readonly<{ id: string; name: string }>;

/** Where sellers transfer tickets, e.g. Ticketmaster: a list that staff keep. */
@Injectable()
export class TransferSources {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<TransferSource[]> {
    const { rows } = await this.pool.query<TransferSource>('select id, name from transfer_sources order by place');
    return rows;
  }

  async has(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from transfer_sources where id = $1', [id]);
    return rowCount === 1;
  }

  /** Transfers keep the id of a source that is gone. */
  async replace(sources: readonly TransferSource[]): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await client.query('lock table transfer_sources in share row exclusive mode');
      await client.query('delete from transfer_sources');
      await client.query(INSERT, [sources.map(({ id }) => id), sources.map(({ name }) => name)]);
    });
  }
}

const INSERT = `
  insert into transfer_sources (place, id, name)
  select place, id, name from unnest($1::text[], $2::text[]) with ordinality as given (id, name, place)`;
