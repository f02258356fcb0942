import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { HttpError } from '#web/http-error';

const RETRY_AFTER_SECONDS = '5';

/** Whether the ledger has the entries of all orders. After an upgrade a worker adds those of earlier ones. */
@Injectable()
export class FilledLedger {
  #isFilled = false;

  constructor(private readonly pool: Pool) {}

  /** Sums without earlier orders would be wrong. @throws HttpError 503 until then */
  async check(): Promise<void> {
    if (this.#isFilled) return;
    const { rowCount } = await this.pool.query('select from ledger_filling where done_at is not null');
    this.#isFilled = rowCount === 1;
    if (this.#isFilled) return;
    const retry = { 'retry-after': RETRY_AFTER_SECONDS };
    throw HttpError.with(50300, 'the ledger is still being filled with the entries of earlier orders', retry);
  }
}
