import type { LockedBucket, StoredVersion } from '#platform/locked-bucket';
import type { Clock } from '#base/clock';
import { anchorOf, documentOf } from '#event-store/anchor-document';
import { InvalidAnchor } from '../anchor-file.js';
import type { AnchorTarget } from '#event-store/anchoring';
import type { SignedHead } from '#event-store/signed-heads';

export type AnchorRetention = Readonly<{ mode: 'compliance' | 'governance'; days: number; clock: Clock }>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const READS_AT_ONCE = 16;
const MAC_DIGITS = 16;
const KEY = /(?:^|\/)\d{4}-\d\d-\d\dT[\d-]+\.\d+Z-[0-9a-f]{16}\.json$/;

/** Signed heads as objects that a bucket with Object Lock keeps, each under a key of its own that sorts by time. */
export class AnchorBucket implements AnchorTarget {
  readonly place = 'bucket';

  /** @param prefix of all keys, e.g. `willcall/` */
  constructor(
    private readonly bucket: LockedBucket,
    private readonly prefix: string,
    private readonly retention: AnchorRetention,
  ) {}

  /** Returns when the bucket has it. @throws if the bucket has no Object Lock */
  async append(anchor: SignedHead): Promise<void> {
    const { mode, days, clock } = this.retention;
    // Two heads of the same time have different signatures.
    const key = `${this.prefix}${anchor.at.replaceAll(':', '-')}-${anchor.mac.toString('hex').slice(-MAC_DIGITS)}.json`;
    const content = Buffer.from(`${JSON.stringify(documentOf(anchor))}\n`);
    await this.bucket
      .add(key, content, { mode, until: new Date(clock.now() + days * DAY_MS) })
      .catch((error: unknown) => {
        const { name, message } = error as Error;
        throw new Error(`LEDGER_ANCHOR_BUCKET: ${name}: ${message}`, { cause: error });
      });
  }

  /** All of the last day, and of each hour before it the last one, which covers everything before it. @throws InvalidAnchor */
  async read(): Promise<SignedHead[]> {
    const all = (await this.bucket.versions(this.prefix)).filter(({ key }) => KEY.test(key));
    const chosen = withoutMostOld(all);
    const anchors: SignedHead[] = [];
    for (let from = 0; from < chosen.length; from += READS_AT_ONCE) {
      anchors.push(
        ...(await Promise.all(chosen.slice(from, from + READS_AT_ONCE).map((version) => this.#anchorIn(version)))),
      );
    }
    return anchors;
  }

  async #anchorIn(version: StoredVersion): Promise<SignedHead> {
    const anchor = anchorOf((await this.bucket.read(version)).toString());
    if (!anchor) throw new InvalidAnchor(`The object ${version.key} of ${this.bucket.name} is not an anchor.`);
    return anchor;
  }
}

/** By the clock of the bucket, which whoever signs an anchor cannot set: a forged one cannot take the place of an older one. */
function withoutMostOld(versions: readonly StoredVersion[]): StoredVersion[] {
  const sorted = versions.toSorted((a, b) => a.storedAt.getTime() - b.storedAt.getTime());
  const newest = sorted.at(-1)?.storedAt.getTime() ?? 0;
  const hourOf = (version: StoredVersion | undefined) => Math.floor((version?.storedAt.getTime() ?? 0) / HOUR_MS);
  return sorted.filter((version, index) => {
    const isRecent = newest - version.storedAt.getTime() <= DAY_MS;
    return isRecent || hourOf(version) !== hourOf(sorted[index + 1]);
  });
}
