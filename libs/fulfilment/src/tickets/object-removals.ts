import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { ObjectStore } from '#platform/object-store';

// Longer than the slowest upload.
const GRACE_MS = 3_600_000;
const AT_ONCE = 100;

/**
 * Files that are to be removed. A file is listed before it is stored, and the transaction that needs it takes it off the list. So no crash
 * leaves a file that nothing knows of, and none that was erased stays.
 */
@Injectable()
export class ObjectRemovals {
  constructor(
    private readonly pool: Pool,
    private readonly objects: ObjectStore,
    private readonly clock: DatabaseClock,
  ) {}

  /** Call it before the files are stored. */
  async announce(keys: readonly string[]): Promise<void> {
    await this.pool.query(ANNOUNCE, [keys, new Date(this.clock.now() + GRACE_MS)]);
  }

  /** Removes what is due. A file that cannot be removed holds up no other, and is tried again the next time. @throws the first failure */
  async run(): Promise<void> {
    // Read anew: what is removed too soon is gone.
    const now = new Date((await this.clock.read()).now());
    const failures: unknown[] = [];
    for (let after = ''; ;) {
      const { rows } = await this.pool.query<{ key: string }>(DUE, [now, after, AT_ONCE]);
      const last = rows.at(-1);
      if (!last) break;
      for (const { key } of rows) await this.remove(key).catch((error: unknown) => failures.push(error));
      after = last.key;
    }
    if (failures.length > 0) throw failures[0];
  }

  private async remove(key: string): Promise<void> {
    await this.objects.remove(key);
    await this.pool.query('delete from object_removals where key = $1', [key]);
  }
}

const ANNOUNCE = `
  insert into object_removals (key, due_at) select unnest($1::text[]), $2 on conflict (key) do update set due_at = excluded.due_at`;

const DUE = 'select key from object_removals where due_at <= $1 and key > $2 order by key limit $3';
