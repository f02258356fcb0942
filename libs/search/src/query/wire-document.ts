import { hash } from 'node:crypto';

/** A document as it goes over the wire: JSON in UTF-8. Bytes, for it is sent many times and texts are encoded anew each time. */
export class WireDocument {
  /** The same wherever the bytes are the same. */
  readonly digest: string;

  private constructor(readonly bytes: Buffer) {
    this.digest = hash('sha1', bytes, 'base64url');
  }

  static of(json: string): WireDocument {
    return new WireDocument(Buffer.from(json));
  }

  get json(): string {
    return this.bytes.toString();
  }
}
