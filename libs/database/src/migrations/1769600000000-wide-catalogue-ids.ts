import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOCK_TIMEOUT_MS = 200;
const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Ids of the catalogue up to 2^53 - 1. Each table is rewritten under its own lock: readers of the catalogue wait that long, purchases do
 * not read it. A process of the version before plans its statements anew; it reads lists of ids as texts, so until it is replaced it does
 * not find changed events by their performers.
 */
export class WideCatalogueIds1769600000000 implements MigrationInterface {
  // A lock that covers all tables would be held for the sum of their times.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    try {
      for (const [table, columns] of Object.entries(COLUMNS)) await widen(runner, table, columns);
    } finally {
      await runner.query('reset lock_timeout');
    }
  }

  async down(): Promise<void> {
    throw new Error('Ids beyond 2^31 would be lost: this migration has no way back.');
  }
}

const ID = 'bigint';
const IDS = 'bigint[]';

const COLUMNS: Readonly<Record<string, Readonly<Record<string, typeof ID | typeof IDS>>>> = {
  discovery_changes: { id: ID },
  discovery_performer_affinity: { performer_id: ID, other_id: ID },
  discovery_taxonomies: { id: ID, parent_id: ID, line_ids: IDS },
  discovery_genres: { id: ID },
  discovery_venues: { id: ID },
  discovery_performers: {
    id: ID,
    own_taxonomy_ids: IDS,
    taxonomy_ids: IDS,
    taxonomy_parent_ids: IDS,
    genre_ids: IDS,
    primary_genre_ids: IDS,
  },
  discovery_events: {
    id: ID,
    performer_ids: IDS,
    primary_performer_ids: IDS,
    home_team_ids: IDS,
    away_team_ids: IDS,
    own_taxonomy_ids: IDS,
    taxonomy_ids: IDS,
    taxonomy_parent_ids: IDS,
    venue_id: ID,
  },
};

/** A second run changes nothing. Other sessions queue behind a statement that waits for its lock, so it waits only briefly. */
async function widen(runner: QueryRunner, table: string, columns: Readonly<Record<string, string>>): Promise<void> {
  const changes = Object.entries(columns).map(([column, type]) => `alter ${column} type ${type}`);
  await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runner.query(`alter table ${table} ${changes.join(', ')}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
