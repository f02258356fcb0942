import { beforeEach, describe, expect, it } from 'vitest';
import { LockedBucket } from '#platform/locked-bucket';
import { S3Connection } from '#platform/s3-connection';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { S3Double } from '../../../../test/support/s3-double.js';
import { AnchorBucket } from './anchor-bucket.js';
import { type AnchorSettings, anchorSourceAt, anchorSources, anchorTargets } from '../anchor-places.js';
import type { SignedHead } from '#event-store/signed-heads';

const clock = new FixedClock('2026-11-23T12:00:00.000Z');
const HOUR_MS = 3_600_000;

let service: S3Double;
beforeEach(async () => {
  service = await S3Double.start();
  return () => service.stop();
});

const settings = (bucket = 's3://locked/willcall', more: Partial<AnchorSettings> = {}): AnchorSettings => ({
  ...service.settings,
  S3_REGION: 'us-east-1',
  LEDGER_ANCHORS: '',
  LEDGER_ANCHOR_BUCKET: bucket,
  LEDGER_ANCHOR_RETENTION: 'compliance',
  LEDGER_ANCHOR_RETENTION_DAYS: 365,
  ...more,
});

function bucketOf(of = settings()): AnchorBucket {
  const [target] = anchorTargets(of, clock);
  if (!(target instanceof AnchorBucket)) throw new Error('no bucket');
  return target;
}

function anchorAt(position: number, at = `2026-11-23T12:00:0${position}.000Z`): SignedHead {
  const audit = { position: 0, hash: Buffer.alloc(32) };
  return { position, head: Buffer.alloc(32, position), audit, at, mac: Buffer.alloc(37, position) };
}

const positions = (anchors: readonly SignedHead[]) => anchors.map(({ position }) => position);
const keys = () => service.objects.map(({ key }) => key);

describe('AnchorBucket', () => {
  it('puts each anchor under a key that sorts by time, with the retention of the settings', async () => {
    for (const position of [1, 2]) await bucketOf().append(anchorAt(position));
    expect(keys()).toEqual([
      `willcall/2026-11-23T12-00-01.000Z-${'01'.repeat(8)}.json`,
      `willcall/2026-11-23T12-00-02.000Z-${'02'.repeat(8)}.json`,
    ]);
    expect(service.objects[0]?.lock).toEqual({
      mode: 'COMPLIANCE',
      until: expect.stringMatching(/^2027-11-23T12:00:00/),
    });
    await bucketOf(
      settings(undefined, { LEDGER_ANCHOR_RETENTION: 'governance', LEDGER_ANCHOR_RETENTION_DAYS: 7 }),
    ).append(anchorAt(3));
    expect(service.objects[2]?.lock).toEqual({
      mode: 'GOVERNANCE',
      until: expect.stringMatching(/^2026-11-30T12:00:00/),
    });
  });

  it('reads all of them back, over several pages', async () => {
    const anchors = [1, 2, 3, 4, 5, 6, 7].map((position) => anchorAt(position));
    for (const anchor of anchors) await bucketOf().append(anchor);
    expect(await bucketOf().read()).toEqual(anchors);
  });

  it('reads those of a prefix, and of no folder beside its own', async () => {
    await bucketOf().append(anchorAt(1));
    await bucketOf(settings('s3://locked/willcall-test')).append(anchorAt(2));
    await bucketOf().append(anchorAt(3, '2026-12-01T00:00:00.000Z'));
    const [configured] = anchorSources(settings(), clock);
    expect(positions((await configured?.read()) ?? [])).toEqual([1, 3]);
    expect(positions(await anchorSourceAt('s3://locked/willcall/2026-12', settings(), clock).read())).toEqual([3]);
  });

  it('is told by a bucket that has no Object Lock, and leaves nothing there', async () => {
    await expect(bucketOf(settings('s3://open')).append(anchorAt(1))).rejects.toThrow(
      'LEDGER_ANCHOR_BUCKET: InvalidRequest: Bucket is missing Object Lock Configuration',
    );
    expect(keys()).toEqual([]);
  });

  it.each([[500], [503], [0]])('tries an upload again that fails with %d', async (failure) => {
    service.failures.push(failure);
    await bucketOf().append(anchorAt(1));
    expect(keys()).toHaveLength(1);
  });

  it('reports an upload that fails again and again', async () => {
    service.failures.push(500, 500, 500);
    await expect(bucketOf().append(anchorAt(1))).rejects.toThrow(/^LEDGER_ANCHOR_BUCKET: /);
    expect(keys()).toEqual([]);
  });

  it('never overwrites an anchor', async () => {
    await bucketOf().append(anchorAt(1));
    const other = { ...anchorAt(1), position: 9 };
    await expect(bucketOf().append(other)).rejects.toThrow(/KeyTaken|is another object already/);
    expect(positions(await bucketOf().read())).toEqual([1]);
  });

  it('takes an anchor as kept whose answer was lost', async () => {
    service.losesAnswer = true;
    await bucketOf().append(anchorAt(1));
    expect(keys()).toHaveLength(1);
  });

  it('finds an anchor that a delete marker or a later version hides', async () => {
    for (const position of [1, 2]) await bucketOf().append(anchorAt(position));
    const [first = '', second = ''] = keys();
    service.hidden.add(first);
    const content = Buffer.from(String(service.objects[0]?.content));
    service.objects.push({ key: second, version: 'later', content, storedAt: service.now.toISOString() });
    expect(positions(await bucketOf().read()).toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
  });

  it('reads of the hours before the last day only the last anchor, by the clock of the bucket', async () => {
    const start = service.now.getTime();
    const after = async (ms: number, position: number) => {
      service.now = new Date(start + ms);
      await bucketOf().append(anchorAt(position));
    };
    await after(0, 1);
    await after(HOUR_MS / 2, 2);
    await after(1.5 * HOUR_MS, 3);
    await after(30 * HOUR_MS, 4);
    await after(30 * HOUR_MS + 60_000, 5);
    expect(positions(await bucketOf().read())).toEqual([2, 3, 4, 5]);
  });

  it('refuses an object in the place of an anchor, and skips other objects', async () => {
    await bucketOf().append(anchorAt(1));
    const bucket = new LockedBucket(new S3Connection(service.options), 'locked');
    const retention = { mode: 'governance', until: new Date('2027-01-01') } as const;
    await bucket.add('willcall/readme.txt', Buffer.from('about this bucket'), retention);
    expect(positions(await bucketOf().read())).toEqual([1]);
    await bucket.add(`willcall/2026-11-23T12-00-09.000Z-${'0'.repeat(16)}.json`, Buffer.from('{}'), retention);
    await expect(bucketOf().read()).rejects.toThrow(/^The object willcall\/.* of locked is not an anchor\.$/);
  });
});
