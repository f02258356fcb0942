import type { ClientBase } from 'pg';
import type { EventArchive } from '#event-store/event-archive';
import type { LedgerKeys } from '#event-store/hash-chain';
import { EMPTY_FEED, type FeedEntry, type FeedHead, headAfter, readFeedEntries } from '#event-store/feed-head';
import { isSignedBy, ledgerBetween, type SignedHead } from '#event-store/signed-heads';
import { AuditHeads, type AuditProgress } from './verification/audit-heads.js';
import type { Differences } from './differences.js';
import { UnkeyedHashes, type UnkeyedProgress } from './verification/unkeyed-hashes.js';

/** What proves the log, besides the database itself. */
export type LedgerProof = Readonly<{ keys: LedgerKeys; anchors?: readonly SignedHead[]; archive?: EventArchive }>;

export type LedgerResult = Readonly<{
  /** Entries of the feed, and how many of them are chained under a key. */
  feed: number;
  chained: number;
  /** When the first of them was chained. */
  since: string | null;
  /** Events that were recorded before hashes had a key. They are protected from when they were chained. */
  unkeyed: number;
  /** The anchors that were compared. */
  anchors: number;
}>;

type Chained = Readonly<{ position: number; at: string }>;

/** How far the feed was compared. */
export type LedgerProgress = Readonly<{
  position: number;
  /** In hex. */
  head: string;
  agreed: number;
  first: Chained | null;
  last: Chained | null;
  audit: AuditProgress;
  unkeyed: UnkeyedProgress;
}>;

const PAGE = 2_000;
/** The ledger is at most a second behind the feed while a worker runs. */
const MOST_BEHIND_MS = 600_000;

/** Compares the feed, in its order, with the heads that were signed for it. */
export class LedgerCheck {
  readonly #unkeyed: UnkeyedHashes;
  readonly #audit: AuditHeads;
  readonly #anchors: SignedHead[];
  readonly #numberOfAnchors: number;
  #feed: FeedHead = EMPTY_FEED;
  /** The last position whose head agreed. */
  #agreed = 0;
  #first: Chained | undefined;
  #last: Chained | undefined;

  constructor(
    private readonly client: ClientBase,
    private readonly proof: LedgerProof,
    private readonly differences: Differences,
    private readonly progressBefore: LedgerProgress | null,
  ) {
    this.#unkeyed = new UnkeyedHashes(differences, progressBefore?.unkeyed);
    this.#audit = new AuditHeads(client, differences, progressBefore?.audit);
    this.#anchors = (proof.anchors ?? []).toSorted((a, b) => a.position - b.position);
    this.#numberOfAnchors = this.#anchors.length;
    if (progressBefore) this.#continue(progressBefore);
  }

  #continue({ position, head, agreed, first, last }: LedgerProgress): void {
    this.#feed = { position, head: Buffer.from(head, 'hex') };
    this.#agreed = agreed;
    this.#first = first ?? undefined;
    this.#last = last ?? undefined;
    while (this.#anchors[0] && this.#anchors[0].position <= position) this.#anchors.shift();
  }

  /** After a page. */
  get progress(): LedgerProgress {
    const { position, head } = this.#feed;
    return {
      position,
      head: head.toString('hex'),
      agreed: this.#agreed,
      first: this.#first ? chained(this.#first) : null,
      last: this.#last ? chained(this.#last) : null,
      audit: this.#audit.progress,
      unkeyed: this.#unkeyed.progress,
    };
  }

  /** @param onPage is called after every few thousand entries */
  async check(onPage: () => void | Promise<void>): Promise<LedgerResult> {
    if (!this.progressBefore) await this.#checkStart();
    for (;;) {
      const after = this.#feed.position;
      const entries = await readFeedEntries(this.client, { after, limit: PAGE });
      const end = entries.at(-1)?.position;
      if (end === undefined) break;
      this.#checkPage(entries, await ledgerBetween(this.client, after + 1, end));
      await this.#audit.check();
      await onPage();
    }
    await this.#checkEnd();
    await this.#audit.check();
    const chained = Math.min(this.#last?.position ?? 0, this.#feed.position);
    const since = this.#first?.at ?? null;
    return { feed: this.#feed.position, chained, since, unkeyed: this.#unkeyed.count, anchors: this.#numberOfAnchors };
  }

  /** Heads before the first event are of the audit log only. */
  async #checkStart(): Promise<void> {
    for (const signed of await ledgerBetween(this.client, 0, 0)) this.#compareRow(signed);
    this.#compareAnchors(0);
  }

  #checkPage(entries: readonly FeedEntry[], ledger: readonly SignedHead[]): void {
    let next = 0;
    for (const entry of entries) {
      this.#unkeyed.check(entry);
      // The heads of positions that are missing are compared too.
      for (let signed = ledger[next]; signed && signed.position < entry.position; signed = ledger[(next += 1)]) {
        this.#compareRow(signed);
      }
      this.#compareAnchors(entry.position - 1);
      this.#feed = headAfter(this.#feed, entry);
    }
    for (const signed of ledger.slice(next)) this.#compareRow(signed);
    this.#compareAnchors(this.#feed.position);
  }

  #compareRow(signed: SignedHead): void {
    this.#first ??= signed;
    this.#last = signed;
    this.#compare(signed, 'feed', 'chained');
  }

  #compareAnchors(upTo: number): void {
    for (let anchor = this.#anchors[0]; anchor && anchor.position <= upTo; anchor = this.#anchors[0]) {
      this.#anchors.shift();
      this.#compare(anchor, 'anchor', 'anchored');
    }
  }

  #compare(signed: SignedHead, id: string, done: string): void {
    const { position: at, head } = signed;
    if (!this.#isSigned(signed, id)) return;
    this.#audit.expect(signed, done);
    if (!head.equals(this.#feed.head)) {
      const problem = `the feed after position ${this.#agreed} is not the one that was ${done} at ${signed.at}`;
      this.differences.add({ kind: 'ledger', id, at, problem });
      // Goes on as if nothing had been changed, to find the next change.
      this.#feed = { ...this.#feed, head };
    }
    this.#agreed = at;
  }

  #isSigned(signed: SignedHead, id: string): boolean {
    const key = this.proof.keys.of(signed.mac);
    if (key && isSignedBy(key, signed)) return true;
    const problem = key ? 'does not fit its signature' : 'is signed with a key that is not known here';
    this.differences.add({ kind: 'ledger', id, at: signed.position, problem });
    return false;
  }

  async #checkEnd(): Promise<void> {
    const { position: end } = this.#feed;
    const rows = await ledgerBetween(this.client, end + 1, Number.MAX_SAFE_INTEGER);
    this.#first ??= rows[0];
    this.#last = rows.at(-1) ?? this.#last;
    this.#checkCut(rows, 'feed', 'chained');
    this.#checkCut(this.#anchors, 'anchor', 'anchored');
    const newest = this.#unkeyed.newestKeyedMs;
    if (!this.#last || rows.length > 0 || newest === undefined || this.#last.position === end) return;
    if (newest - Date.parse(this.#last.at) < MOST_BEHIND_MS) return;
    const problem = `nothing after this position was chained, although events came until ${new Date(newest).toISOString()}`;
    this.differences.add({ kind: 'ledger', id: 'feed', at: this.#last.position, problem });
  }

  #checkCut(beyond: readonly SignedHead[], id: string, done: string): void {
    const sound = beyond.filter((signed) => this.#isSigned(signed, id));
    for (const signed of sound) this.#audit.expect(signed, done);
    const last = sound.at(-1);
    if (!last) return;
    const problem = `the feed ends at position ${this.#feed.position}, but more of it was ${done} at ${last.at}`;
    this.differences.add({ kind: 'ledger', id, at: last.position, problem });
  }
}

const chained = ({ position, at }: Chained): Chained => ({ position, at });
