import type { Readable } from 'node:stream';

/** Files cannot be stored or read just now: the disk, the network or the service fails. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }

  /** Any failure of `work` becomes one. */
  static async within<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof StorageError ? error : new StorageError((error as Error).message, { cause: error });
    }
  }
}

/** There is nothing under the key. */
export class MissingObject extends StorageError {
  constructor(readonly key: string) {
    super(`there is no object ${key}`);
    this.name = 'MissingObject';
  }
}

/** Bytes of an object: where they begin, and how many, at least one. */
export type ObjectPart = Readonly<{ start: number; bytes: number }>;

/**
 * Files under keys like `tickets/ord_1/tkt_1`, in a folder or in an S3-compatible service. It does not encrypt: seal what is secret before.
 * Every failure is a StorageError, also of a stream that nobody reads.
 *
 * @example await store.put('tickets/ord_1/tkt_1', Readable.from(content), size);
 */
export abstract class ObjectStore {
  /** Replaces what is there. After an error nothing or the earlier object is there. @param bytes exactly how many `body` gives */
  async put(key: string, body: Readable, bytes: number): Promise<void> {
    // It may fail before anybody reads it, and after nobody does any more. Without a listener that ends the process.
    body.on('error', () => undefined);
    try {
      checkedKey(key);
      await StorageError.within(() => this.write(key, body, bytes));
    } finally {
      body.destroy();
    }
  }

  /** The whole object, or a part that it has. @throws MissingObject */
  async read(key: string, part?: ObjectPart): Promise<Readable> {
    checkedKey(key);
    const content = await StorageError.within(() => this.open(key, part));
    return content.on('error', () => undefined);
  }

  /** Does nothing if there is no such object. */
  async remove(key: string): Promise<void> {
    checkedKey(key);
    await StorageError.within(() => this.delete(key));
  }

  protected abstract write(key: string, body: Readable, bytes: number): Promise<void>;
  protected abstract open(key: string, part?: ObjectPart): Promise<Readable>;
  protected abstract delete(key: string): Promise<void>;
}

const KEY = /^[a-z]{1,20}(?:\/[A-Za-z0-9_][\w.-]{0,100}){1,4}$/;

/** @throws if the key could lead out of its folder */
function checkedKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`not a key of an object: ${JSON.stringify(key)}`);
}
