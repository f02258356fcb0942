import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

const OPERATOR = /^operator:(.+)$/;

/** The names of operators for those who cannot list them. A removed operator keeps its name. */
@Injectable()
export class OperatorNames {
  constructor(private readonly pool: Pool) {}

  /** The names of these actors, by actor. Only `operator:<id>` has a name. */
  async of(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(actors.flatMap((actor) => OPERATOR.exec(actor)?.[1] ?? []))];
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<{ actor: string; name: string }>(
      `select 'operator:' || id as actor, name from operators where id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ actor, name }) => [actor, name]));
  }
}
