import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { OWNER_ONLY, type Settings } from '#base/settings';
import { createPool } from '#database/pool';
import { programFile } from './program-file.js';
import { spawnService } from './service.js';
import type { Running } from './supervised-process.js';

const LOOK_EVERY_MS = 2_000;
// Without a pause, a process that fails at its start would be started again all the time.
const AFTER_FAILURE_MS = 30_000;
const SUCCESS = 'exit code 0';
const ASKED_FOR = `select from maintenance_runs where state = 'requested' and kind = 'rebuild'`;

/** Does the rebuilds that were requested in the console, each in its own process, because a rebuild takes much memory. */
export class RequestedRebuilds {
  readonly #stop = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #running: Running | undefined;

  /** @param ownerUrl which only the process of a rebuild gets */
  constructor(
    private readonly settings: Settings,
    private readonly ownerUrl: string,
    private readonly entry: string = programFile('requested-rebuilds'),
  ) {}

  start(): void {
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running?.stop();
    await this.#watching;
  }

  kill(): void {
    this.#running?.kill();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const pool = createPool({
      databaseUrl: this.settings.DATABASE_URL ?? '',
      max: 1,
      applicationName: 'willcall supervisor',
      onError: () => undefined,
    });
    while (!signal.aborted) {
      const succeeded = !(await isAskedFor(pool)) || (await this.#rebuild());
      const waitMs = succeeded ? LOOK_EVERY_MS : AFTER_FAILURE_MS;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
    await pool.end();
  }

  async #rebuild(): Promise<boolean> {
    if (this.#stop.signal.aborted) return true;
    this.#running = spawnService({ name: 'rebuild', entry: this.entry }, this.settings, {
      [OWNER_ONLY]: this.ownerUrl,
    });
    const end = await this.#running.ended;
    this.#running = undefined;
    return end === SUCCESS;
  }
}

/** Api and worker report a database that is away. */
async function isAskedFor(pool: Pool): Promise<boolean> {
  return await pool.query(ASKED_FOR).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
}
