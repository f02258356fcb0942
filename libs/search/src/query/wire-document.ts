import { hash } from 'node:crypto';

/** A document as sent: UTF-8 JSON. It holds bytes, because a text would be encoded again for every response. */
export class WireDocument {
  /** Equal for equal bytes. */
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
