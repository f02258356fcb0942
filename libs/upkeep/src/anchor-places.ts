import type { Clock } from '#base/clock';
import { LockedBucket } from '#platform/locked-bucket';
import { S3Connection, s3OptionsOf, type S3Settings } from '#platform/s3-connection';
import { AnchorBucket } from './anchors/anchor-bucket.js';
import { AnchorFile } from './anchor-file.js';
import { AnchorWebhook } from './anchors/anchor-webhook.js';
import type { AnchorTarget } from '#event-store/anchoring';
import type { SignedHead } from '#event-store/signed-heads';

/** Settings of the places that anchors go to. */
export type AnchorSettings = S3Settings &
  Readonly<{
    LEDGER_ANCHORS: string;
    LEDGER_ANCHOR_URL?: string | undefined;
    LEDGER_ANCHOR_SECRET?: string | undefined;
    LEDGER_ANCHOR_BUCKET?: string | undefined;
    LEDGER_ANCHOR_RETENTION: 'compliance' | 'governance';
    LEDGER_ANCHOR_RETENTION_DAYS: number;
  }>;

/** Anchors that can be read back. */
export type AnchorSource = Readonly<{ read(): SignedHead[] | Promise<SignedHead[]> }>;

export function anchorTargets(settings: AnchorSettings, clock: Clock): AnchorTarget[] {
  const { LEDGER_ANCHORS: path, LEDGER_ANCHOR_URL: url, LEDGER_ANCHOR_SECRET: secret } = settings;
  const { LEDGER_ANCHOR_BUCKET: bucket } = settings;
  return [
    ...(path === '' ? [] : [new AnchorFile(path)]),
    ...(url === undefined || secret === undefined ? [] : [new AnchorWebhook({ url, secret, clock })]),
    ...(bucket === undefined ? [] : [anchorBucketAt(asFolder(bucket), settings, clock)]),
  ];
}

/** Those of the settings that can be read. A webhook's receiver cannot. */
export function anchorSources(settings: AnchorSettings, clock: Clock): AnchorSource[] {
  const { LEDGER_ANCHORS: path, LEDGER_ANCHOR_BUCKET: bucket } = settings;
  const places = [...(path === '' ? [] : [path]), ...(bucket === undefined ? [] : [asFolder(bucket)])];
  return places.map((place) => anchorSourceAt(place, settings, clock));
}

/** @param place a file, a folder, or `s3://bucket/` and the beginning of keys */
export function anchorSourceAt(place: string, settings: AnchorSettings, clock: Clock): AnchorSource {
  return isInBucket(place) ? anchorBucketAt(place, settings, clock) : new AnchorFile(place);
}

export const isInBucket = (place: string): boolean => place.startsWith('s3://');

/** The bucket of such a place. */
export function lockedBucketAt(place: string, settings: AnchorSettings): LockedBucket {
  return new LockedBucket(new S3Connection(s3OptionsOf(settings)), new URL(place).hostname);
}

function anchorBucketAt(place: string, settings: AnchorSettings, clock: Clock): AnchorBucket {
  const { LEDGER_ANCHOR_RETENTION: mode, LEDGER_ANCHOR_RETENTION_DAYS: days } = settings;
  const prefix = new URL(place).pathname.slice(1);
  return new AnchorBucket(lockedBucketAt(place, settings), prefix, { mode, days, clock });
}

/** So that `willcall` is not the beginning of `willcall-test` too. */
const asFolder = (place: string) => place.replace(/\/?$/, '/');
