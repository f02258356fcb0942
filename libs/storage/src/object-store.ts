import type { Readable } from 'node:stream';

/** There is nothing under the key. */
export class MissingObject extends Error {
  constructor(readonly key: string) {
    super(`there is no object ${key}`);
    this.name = 'MissingObject';
  }
}

/**
 * Files under keys like `tickets/ord_1/tkt_1`, in a folder or in an S3-compatible service. It does not encrypt: seal what is secret before.
 *
 * @example await store.put('tickets/ord_1/tkt_1', createReadStream(path), size);
 */
export abstract class ObjectStore {
  /** Replaces what is there. After an error nothing or the earlier object is there. @param bytes exactly how many `body` gives */
  abstract put(key: string, body: Readable, bytes: number): Promise<void>;

  /** @throws MissingObject */
  abstract read(key: string): Promise<Readable>;

  /** Does nothing if there is no such object. */
  abstract remove(key: string): Promise<void>;
}

const KEY = /^[a-z]{1,20}(?:\/[A-Za-z0-9_][\w.-]{0,100}){1,4}$/;

/** @throws if the key could lead out of its folder */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a key of an object: ${JSON.stringify(key)}`);
  return key;
}
