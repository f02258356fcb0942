import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { checkedKey, MissingObject, ObjectStore } from './object-store.js';

export type S3Options = Readonly<{
  bucket: string;
  region: string;
  /** Undefined for Amazon's own. */
  endpoint: string | undefined;
  /** Undefined for those that the SDK finds, e.g. of the role of the machine. */
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }> | undefined;
}>;

type Sdk = typeof import('@aws-sdk/client-s3');

/** Objects in a bucket of Amazon S3, or of a service that speaks its protocol. */
export class S3ObjectStore extends ObjectStore {
  private opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(private readonly options: S3Options) {
    super();
  }

  override async put(key: string, body: Readable, bytes: number): Promise<void> {
    const { sdk, client } = await this.open();
    await client.send(new sdk.PutObjectCommand({ ...this.at(key), Body: body, ContentLength: bytes }));
  }

  override async read(key: string): Promise<Readable> {
    const { sdk, client } = await this.open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(this.at(key)));
      return Body as Readable;
    } catch (error) {
      throw error instanceof sdk.NoSuchKey ? new MissingObject(key) : error;
    }
  }

  override async remove(key: string): Promise<void> {
    const { sdk, client } = await this.open();
    await client.send(new sdk.DeleteObjectCommand(this.at(key)));
  }

  private at(key: string) {
    return { Bucket: this.options.bucket, Key: checkedKey(key) };
  }

  /** The SDK is large, so it is loaded only where it is used. */
  private open() {
    return (this.opened ??= this.connect());
  }

  private async connect() {
    const { region, endpoint, credentials } = this.options;
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region,
      ...(credentials && { credentials }),
      // Other services have no host name for each bucket, and not all know the newer checksums.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
}
