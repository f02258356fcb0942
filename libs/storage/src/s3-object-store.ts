import type { Readable } from 'node:stream';
import { checkedKey, MissingObject, ObjectStore } from './object-store.js';
import type { S3Connection } from './s3-connection.js';

/** Objects in a bucket of Amazon S3, or of a service that speaks its protocol. */
export class S3ObjectStore extends ObjectStore {
  constructor(
    private readonly connection: S3Connection,
    private readonly bucket: string,
  ) {
    super();
  }

  override async put(key: string, body: Readable, bytes: number): Promise<void> {
    const { sdk, client } = await this.connection.open();
    await client.send(new sdk.PutObjectCommand({ ...this.at(key), Body: body, ContentLength: bytes }));
  }

  override async read(key: string): Promise<Readable> {
    const { sdk, client } = await this.connection.open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(this.at(key)));
      return Body as Readable;
    } catch (error) {
      throw error instanceof sdk.NoSuchKey ? new MissingObject(key) : error;
    }
  }

  override async remove(key: string): Promise<void> {
    const { sdk, client } = await this.connection.open();
    await client.send(new sdk.DeleteObjectCommand(this.at(key)));
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: checkedKey(key) };
  }
}
