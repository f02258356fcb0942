import type { ClientBase } from 'pg';
import type { SignedHead } from '#event-store/signed-heads';
import type { Differences } from '../differences.js';

/** The last position of the audit log that was compared, by what was done with it. */
export type AuditProgress = Readonly<Record<string, number>>;

type Expected = Readonly<{ position: number; hash: Buffer; when: string }>;

/** Compares the audit log with the heads that were signed for it. That its entries fit their hashes is checked elsewhere. */
export class AuditHeads {
  #expected: Expected[] = [];
  readonly #furthest: Map<string, number>;

  constructor(
    private readonly client: ClientBase,
    private readonly differences: Differences,
    furthest: AuditProgress = {},
  ) {
    this.#furthest = new Map(Object.entries(furthest));
  }

  get progress(): AuditProgress {
    return Object.fromEntries(this.#furthest);
  }

  /** @param done `chained` or `anchored` */
  expect({ audit: { position, hash }, at }: SignedHead, done: string): void {
    // Most heads have the same entry as the one before.
    if (position <= (this.#furthest.get(done) ?? 0)) return;
    this.#furthest.set(done, position);
    this.#expected.push({ position, hash, when: `${done} at ${at}` });
  }

  /** Those expected since the last time. */
  async check(): Promise<void> {
    if (this.#expected.length === 0) return;
    const { rows } = await this.client.query<{ position: string; hash: Buffer }>(
      'select position, hash from audit_log where position = any($1)',
      [this.#expected.map(({ position }) => position)],
    );
    const found = new Map(rows.map(({ position, hash }) => [Number(position), hash]));
    for (const { position: at, hash, when } of this.#expected) {
      if (found.get(at)?.equals(hash)) continue;
      const problem = `the audit log up to this entry is not the one that was ${when}`;
      this.differences.add({ kind: 'audit', id: 'audit_log', at, problem });
    }
    this.#expected = [];
  }
}
