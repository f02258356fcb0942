import { hash } from 'node:crypto';

/** A document as sent: UTF-8 JSON. It holds bytes, because a text would be encoded again for every response. */
export class WireDocument {
  /** Equal for equal bytes. */
  readonly digest: string;

  private constructor(
    readonly bytes: Buffer,
    digest?: string,
  ) {
    this.digest = digest ?? hash('sha1', bytes, 'base64url');
  }

  static of(json: string): WireDocument {
    return new WireDocument(Buffer.from(json));
  }

  /** This document as a part of another. Its bytes are only copied, neither read as text nor hashed again. */
  within(before: string, after: string): WireDocument {
    const parts = [Buffer.from(before), this.bytes, Buffer.from(after)];
    return new WireDocument(Buffer.concat(parts), hash('sha1', `${before}${this.digest}${after}`, 'base64url'));
  }

  get json(): string {
    return this.bytes.toString();
  }
}
