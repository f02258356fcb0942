import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { MacroStep } from '../macro.contract.js';

export type StoredMacro = Readonly<{ id: string; name: string; steps: readonly MacroStep[] }>;
export type NewMacro = Omit<StoredMacro, 'id'>;

/** The macros, which all staff share. The database holds their steps sealed, because a note may say anything. */
@Injectable()
export class Macros {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly sealer: Sealer,
  ) {}

  /** By name. */
  async list(): Promise<StoredMacro[]> {
    const { rows } = await this.pool.query<MacroRow>('select id, name, steps from macros order by lower(name), id');
    return rows.map((row) => this.opened(row));
  }

  async find(id: string): Promise<StoredMacro | undefined> {
    const { rows } = await this.pool.query<MacroRow>('select id, name, steps from macros where id = $1', [id]);
    return rows.map((row) => this.opened(row))[0];
  }

  async add({ name, steps }: NewMacro): Promise<StoredMacro> {
    const id = this.ids.next('mac');
    await this.pool.query(ADD, [id, name, this.sealed(id, steps), this.clock.iso()]);
    return { id, name, steps };
  }

  /** What is undefined stays. Returns the macro as it is then; undefined if there is none. */
  async change(id: string, { name, steps }: Partial<NewMacro>): Promise<StoredMacro | undefined> {
    const { rows } = await this.pool.query<MacroRow>(CHANGE, [id, name ?? null, steps ? this.sealed(id, steps) : null]);
    return rows.map((row) => this.opened(row))[0];
  }

  /** Returns false if there is no such macro. */
  async remove(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('delete from macros where id = $1', [id]);
    return rowCount === 1;
  }

  private sealed(id: string, steps: readonly MacroStep[]): Buffer {
    return this.sealer.seal('macro', id, Buffer.from(JSON.stringify(steps)));
  }

  private opened({ id, name, steps }: MacroRow): StoredMacro {
    return { id, name, steps: parseJson(this.sealer.open('macro', id, steps).toString()) as MacroStep[] };
  }
}

type MacroRow = { id: string; name: string; steps: Buffer };

const ADD = 'insert into macros (id, name, steps, created_at) values ($1, $2, $3, $4)';

const CHANGE = `
  update macros set name = coalesce($2, name), steps = coalesce($3, steps) where id = $1 returning id, name, steps`;
