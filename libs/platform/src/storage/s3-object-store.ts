import type { Readable } from 'node:stream';
import { MissingObject, type ObjectPart, ObjectStore } from '../object-store.js';
import type { S3Connection } from '../s3-connection.js';

/** Objects in a bucket of Amazon S3, or of a service that speaks its protocol. */
export class S3ObjectStore extends ObjectStore {
  constructor(
    private readonly connection: S3Connection,
    private readonly bucket: string,
  ) {
    super();
  }

  protected override async write(key: string, body: Readable, bytes: number): Promise<void> {
    const { sdk, client } = await this.connection.open();
    // The SDK would wait for the rest of a body that has failed.
    const failed = new AbortController();
    body.once('error', (error) => failed.abort(error));
    const put = new sdk.PutObjectCommand({ ...this.at(key), Body: body, ContentLength: bytes });
    try {
      await client.send(put, { abortSignal: failed.signal });
    } catch (error) {
      throw failed.signal.aborted ? failed.signal.reason : error;
    }
  }

  protected override async open(key: string, part?: ObjectPart): Promise<Readable> {
    const { sdk, client } = await this.connection.open();
    const range = part && { Range: `bytes=${part.start}-${part.start + part.bytes - 1}` };
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ ...this.at(key), ...range }));
      return Body as Readable;
    } catch (error) {
      throw error instanceof sdk.NoSuchKey ? new MissingObject(key) : error;
    }
  }

  protected override async delete(key: string): Promise<void> {
    const { sdk, client } = await this.connection.open();
    await client.send(new sdk.DeleteObjectCommand(this.at(key)));
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: key };
  }
}
