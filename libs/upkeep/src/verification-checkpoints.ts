import type { Pool } from 'pg';
import { stringifyJson } from '#base/json';
import type { Found } from './differences.js';
import type { LedgerProgress, LedgerResult } from './ledger-check.js';

/** What a verification reads, in this order. */
export const STAGES = ['streams', 'archive', 'ledger', 'tables'] as const;
type Stage = (typeof STAGES)[number];

/** How far a verification has come: the stages before this one are done, and this one up to `after`. */
export type Checkpoint = Found &
  Readonly<{
    stage: Stage;
    /** The last stream, the last file of the archive, or the number of checks of whole tables. Empty at the beginning of a stage. */
    after: string;
    ledger: LedgerProgress | null;
    /** Of the whole ledger. Null before the stage `tables`. */
    proved: LedgerResult | null;
    /** Files of the archive. */
    archived: number;
    checked: Readonly<Record<string, number>>;
  }>;

// Whatever ends a process may be what it reads next: it is not tried for ever.
const MOST_TRIES = 3;

/** Whether a verification that was interrupted goes on. @param id an expression for its id */
export const goesOn = (id: string) =>
  `exists (select from verification_checkpoints c where c.id = ${id} and c.tries < ${MOST_TRIES})`;

/** Of the verification by the command line. */
export const IN_SHELL = 'shell';

/** Checkpoints of verifications that are not done. */
export class Checkpoints {
  /** @param id of the run */
  constructor(
    private readonly pool: Pool,
    private readonly id: string,
  ) {}

  /** Undefined if there is none. Counts as a try until the next one is saved. */
  async load(): Promise<Checkpoint | undefined> {
    const { rows } = await this.pool.query<{ state: Checkpoint }>(LOAD, [this.id]);
    return rows[0]?.state;
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    await this.pool.query(SAVE, [this.id, stringifyJson(checkpoint)]);
  }

  async forget(): Promise<void> {
    await this.pool.query('delete from verification_checkpoints where id = $1', [this.id]);
  }
}

const LOAD = 'update verification_checkpoints set tries = tries + 1 where id = $1 returning state';

const SAVE = `
  insert into verification_checkpoints (id, state) values ($1, $2)
  on conflict (id) do update set state = excluded.state, tries = 0`;
