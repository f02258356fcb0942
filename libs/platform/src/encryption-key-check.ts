import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { isUnreachable } from '#database/connect-backoff';
import { Repeater } from '#base/repeater';
import { adoptEncryptionKey, reportUsedKey, RetiredEncryptionKey, WrongEncryptionKey } from './encryption-key.js';

const RETRY_EVERY_MS = 100;
const REPORT_EVERY_MS = 60_000;

/** Whether this process seals with the right key, at its start and as long as it runs. A service may start before its database. */
@Injectable()
export class EncryptionKeyCheck implements BeforeApplicationShutdown {
  #isDone = false;
  #reports: Repeater | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * If the database is unreachable, it resolves at once and checks in the background. `onError` then gets the error, and later a
   * RetiredEncryptionKey if the key is retired. @throws WrongEncryptionKey
   */
  async start(onError: (error: unknown) => void): Promise<void> {
    this.#reports = new Repeater(
      () => reportUsedKey(this.pool, this.sealer),
      { everyMs: REPORT_EVERY_MS },
      (error) => {
        if (error instanceof RetiredEncryptionKey) onError(error);
      },
    );
    this.#reports.start();
    if (await this.#check()) return;
    void this.#untilChecked().catch(onError);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#reports?.stop();
  }

  async #untilChecked(): Promise<void> {
    do await sleep(RETRY_EVERY_MS, undefined, { ref: false });
    while (!(await this.#check()));
  }

  async #check(): Promise<boolean> {
    try {
      await adoptEncryptionKey(this.pool, this.sealer);
      this.#isDone = true;
      return true;
    } catch (error) {
      if (error instanceof WrongEncryptionKey || !isUnreachable(error)) throw error;
      return false;
    }
  }
}
