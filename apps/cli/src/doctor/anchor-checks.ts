import type { Settings } from '#base/settings';
import { lockedBucketAt } from '#upkeep/anchor-places';
import { fail, type Finding, ok, warn } from './finding.js';

/** The ledger cannot show that the newest events were removed with their heads. Only anchors can. */
export async function checkAnchors(settings: Settings): Promise<Finding> {
  const { LEDGER_ANCHORS: path, LEDGER_ANCHOR_URL: url, LEDGER_ANCHOR_BUCKET: bucket, DATABASE_URL } = settings;
  if (path === '' && url === undefined && bucket === undefined) {
    const advice =
      'Set LEDGER_ANCHORS to a file or folder that whoever administers the database cannot write, LEDGER_ANCHOR_URL or LEDGER_ANCHOR_BUCKET.';
    return warn('anchors', 'the ledger has no anchors outside of the database', advice);
  }
  const file = path === '' ? [] : [DATABASE_URL === undefined ? 'in DATA_DIR' : `in ${path}`];
  // The address may contain a credential.
  const receiver = url === undefined ? [] : [`posted to ${new URL(url).host}`];
  const elsewhere = [...file, ...receiver];
  if (bucket === undefined) return ok('anchors', elsewhere.join(', '));
  return await checkBucket(bucket, settings, elsewhere);
}

async function checkBucket(place: string, settings: Settings, elsewhere: readonly string[]): Promise<Finding> {
  const say = (about: string) => [...elsewhere, about].join(', ');
  try {
    if (await lockedBucketAt(place, settings).hasLock()) {
      const { LEDGER_ANCHOR_RETENTION: mode, LEDGER_ANCHOR_RETENTION_DAYS: days } = settings;
      return ok('anchors', say(`in ${place}, locked for ${days} days (${mode})`));
    }
  } catch (error) {
    const { name, message } = error as Error;
    const advice =
      'See LEDGER_ANCHOR_BUCKET, S3_REGION, S3_ENDPOINT, the keys, and the right s3:GetBucketObjectLockConfiguration.';
    return fail('anchors', say(`${place} cannot be asked for Object Lock (${name}: ${message})`), advice);
  }
  const advice = 'Name a bucket that was made with Object Lock: this one takes no anchor with a retention.';
  return fail('anchors', say(`${place} has no Object Lock`), advice);
}
