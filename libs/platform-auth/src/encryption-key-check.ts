import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#crypto/sealing';
import { isUnreachable } from '#database/connect-backoff';
import { adoptEncryptionKey, WrongEncryptionKey } from './encryption-key.js';

const RETRY_EVERY_MS = 100;

/** Checks the encryption key at the start of a service, which may come before its database. */
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
   * Resolves when the key is right, or at once while the database cannot be reached: then it is tried again until the
   * database answers, and `giveUp` gets what that ends with, if not with the right key.
   * @throws WrongEncryptionKey
   */
  async start(giveUp: (fault: unknown) => void): Promise<void> {
    if (await this.#check()) return;
    void this.#untilChecked().catch(giveUp);
  }

  async #untilChecked(): Promise<void> {
    do await sleep(RETRY_EVERY_MS, undefined, { ref: false });
    while (!(await this.#check()));
  }

  /** False while the database cannot be reached. */
  async #check(): Promise<boolean> {
    try {
      await adoptEncryptionKey(this.pool, this.sealer);
      this.#isDone = true;
      return true;
    } catch (fault) {
      if (fault instanceof WrongEncryptionKey || !isUnreachable(fault)) throw fault;
      return false;
    }
  }
}
