import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#crypto/sealing';
import { isUnreachable } from '#database/connect-backoff';
import { adoptEncryptionKey, WrongEncryptionKey } from './encryption-key.js';

const RETRY_EVERY_MS = 100;

/** A service may start before its database. */
@Injectable()
export class EncryptionKeyCheck {
  #isDone = false;

  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * If the database is unreachable, it resolves at once and checks in the background. `onError` then gets the error. @throws
   * WrongEncryptionKey
   */
  async start(onError: (error: unknown) => void): Promise<void> {
    if (await this.#check()) return;
    void this.#untilChecked().catch(onError);
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
