import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { markNoEffect } from '#database/database-errors';
import { parseJson, stringifyJson } from '#base/json';
import { CLAIM, FIND, KEEP, PRUNE, RELEASE, RENEW } from './idempotency-statements.js';

/** An answer as it was sent. `body` is its text, null for none. */
export type KeptAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}>;

/** `text` says what is asked for: equal requests have equal texts. Undefined while a part of the body has not arrived. */
export type KeyedRequest = Readonly<{
  /** Who sends it. Keys of different callers are different. */
  caller: string;
  key: string;
  text: string | undefined;
  /** The order that the route is about. */
  orderId: string | undefined;
}>;

/** The right to answer a key. `fence` keeps a process whose lease has ended from writing. */
export type Claim = Readonly<{ id: string; fence: string }>;

export type Claimed =
  | Readonly<{ is: 'claimed'; claim: Claim }>
  | Readonly<{ is: 'running' | 'other request' | 'erased' }>
  | Readonly<{ is: 'answered'; answer: KeptAnswer; isOf(text: string): boolean }>;

export const RENEW_LEASES_EVERY_MS = 15_000;

/** If somebody releases the key between two statements, the claim is tried again. */
const MOST_TRIES = 3;

type Row = Readonly<{ request: Buffer | null; answer: Buffer | null; erased: boolean; runs: boolean }>;

/** What binds a sealed answer to its row. */
export const keptAnswerContext = (id: string) => `idempotency_keys/${id}`;

/**
 * The first answer to each `Idempotency-Key`, for 24 hours by the database's clock. Answers are sealed, because they may hold secrets and
 * data of buyers; requests are kept as a keyed digest.
 */
@Injectable()
export class IdempotencyKeys {
  readonly #running = new Map<string, Claim>();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  /** Claims the key for a first request, or says what became of that one. */
  async claim({ caller, key, text, orderId }: KeyedRequest): Promise<Claimed> {
    const id = createHash('sha256')
      .update(JSON.stringify([caller, key]))
      .digest('hex');
    const digests = text === undefined ? [] : this.sealer.digests('idempotent-request', text);
    const orders = orderId === undefined ? [] : [orderId];
    try {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const claimed = await this.pool.query<{ fence: string }>(CLAIM, [id, digests[0] ?? null, orders, digests]);
        const fence = claimed.rows[0]?.fence;
        if (fence !== undefined) return this.begun({ id, fence });
        const { rows } = await this.pool.query<Row>(FIND, [id]);
        if (rows[0]) return this.found(id, rows[0], text);
      }
    } catch (error) {
      // The request itself has not begun.
      markNoEffect(error);
      throw error;
    }
    return { is: 'running' };
  }

  /** Keeps the answer, unless the lease has ended or a buyer that it may name was erased. `orders`: whose buyers it may name. */
  async keep(claim: Claim, text: string, answer: KeptAnswer, orders: readonly string[]): Promise<void> {
    const sealed = this.sealer.seal('kept-answer', keptAnswerContext(claim.id), Buffer.from(stringifyJson(answer)));
    const digest = this.sealer.digest('idempotent-request', text);
    await this.ended(claim, () => this.pool.query(KEEP, [claim.id, claim.fence, digest, sealed, orders]));
  }

  /** The next request with the key is a first one again. */
  async release(claim: Claim): Promise<void> {
    await this.ended(claim, () => this.pool.query(RELEASE, [claim.id, claim.fence]));
  }

  /** Prolongs the leases of the requests that this process is at. */
  async renew(): Promise<void> {
    const claims = [...this.#running.values()];
    if (claims.length === 0) return;
    await this.pool.query(RENEW, [claims.map(({ id }) => id), claims.map(({ fence }) => fence)]);
  }

  async prune(): Promise<void> {
    while (((await this.pool.query(PRUNE)).rowCount ?? 0) > 0);
  }

  private begun(claim: Claim): Claimed {
    this.#running.set(claim.fence, claim);
    return { is: 'claimed', claim };
  }

  private async ended(claim: Claim, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } finally {
      this.#running.delete(claim.fence);
    }
  }

  private found(id: string, { request, answer, erased, runs }: Row, text: string | undefined): Claimed {
    const isOf = (asked: string) => request !== null && this.sealer.isDigest('idempotent-request', asked, request);
    if (request !== null && text !== undefined && !isOf(text)) return { is: 'other request' };
    if (runs) return { is: 'running' };
    if (erased || !answer) return { is: 'erased' };
    const opened = this.sealer.open('kept-answer', keptAnswerContext(id), answer).toString();
    return { is: 'answered', answer: parseJson(opened) as KeptAnswer, isOf };
  }
}
