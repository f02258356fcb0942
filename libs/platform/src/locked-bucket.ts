import { createHash } from 'node:crypto';
import type { ObjectVersion } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.js';

/** Until then nobody can remove the version. With `governance`, those with a special right can. */
export type Retention = Readonly<{ mode: 'compliance' | 'governance'; until: Date }>;

/** `storedAt` is by the clock of the service. */
export type StoredVersion = Readonly<{ key: string; version: string | undefined; storedAt: Date }>;

/** Another object has the key already. */
class KeyTaken extends Error {}

// The process waits for an upload when it stops. The SDK tries up to three times within it.
const UPLOAD_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 30_000;

/** Small objects in a bucket with Object Lock (S3): each is added once and stays for its retention. */
export class LockedBucket {
  constructor(
    private readonly connection: S3Connection,
    readonly name: string,
  ) {}

  /**
   * The service refuses it where the bucket has no Object Lock.
   * @throws KeyTaken if there is an object with the key and another content
   */
  async add(key: string, content: Buffer, { mode, until }: Retention): Promise<void> {
    const { sdk, client } = await this.connection.open();
    const put = new sdk.PutObjectCommand({
      ...this.#at(key),
      Body: content,
      // S3 demands a checksum with a retention, and every service knows this one.
      ContentMD5: createHash('md5').update(content).digest('base64'),
      IfNoneMatch: '*',
      ObjectLockMode: mode === 'compliance' ? 'COMPLIANCE' : 'GOVERNANCE',
      ObjectLockRetainUntilDate: until,
    });
    try {
      await client.send(put, { abortSignal: AbortSignal.timeout(UPLOAD_WITHIN_MS) });
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
      // Perhaps an earlier try of the SDK succeeded, and its answer was lost.
      if (!(await this.read({ key, version: undefined })).equals(content)) {
        throw new KeyTaken(`${key} is another object already`);
      }
    }
  }

  /** All versions of all keys with the prefix, also those that a later version or a delete marker hides. */
  async versions(prefix: string): Promise<StoredVersion[]> {
    const { sdk, client } = await this.connection.open();
    const found: StoredVersion[] = [];
    let next: { KeyMarker: string | undefined; VersionIdMarker: string | undefined } | undefined;
    do {
      const list = new sdk.ListObjectVersionsCommand({ Bucket: this.name, Prefix: prefix, ...next });
      const page = await client.send(list, { abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      found.push(...(page.Versions ?? []).map(storedVersion));
      next = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : undefined;
    } while (next);
    return found;
  }

  /** @param of without a version the newest one */
  async read({ key, version }: Pick<StoredVersion, 'key' | 'version'>): Promise<Buffer> {
    const { sdk, client } = await this.connection.open();
    const get = new sdk.GetObjectCommand({ ...this.#at(key), ...(version !== undefined && { VersionId: version }) });
    const { Body } = await client.send(get, { abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (!Body) throw new Error(`${key} has no content`);
    return Buffer.from(await Body.transformToByteArray());
  }

  /** Whether the bucket has Object Lock. @throws the error of the service, e.g. for a missing bucket or right */
  async hasLock(): Promise<boolean> {
    const { sdk, client } = await this.connection.open();
    const get = new sdk.GetObjectLockConfigurationCommand({ Bucket: this.name });
    try {
      const { ObjectLockConfiguration } = await client.send(get, {
        abortSignal: AbortSignal.timeout(UPLOAD_WITHIN_MS),
      });
      return ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled';
    } catch (error) {
      if ((error as Error).name === 'ObjectLockConfigurationNotFoundError') return false;
      throw error;
    }
  }

  #at(key: string) {
    return { Bucket: this.name, Key: key };
  }
}

function storedVersion({ Key = '', VersionId, LastModified }: ObjectVersion): StoredVersion {
  return { key: Key, version: VersionId, storedAt: LastModified ?? new Date(0) };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
