import { createHash } from 'node:crypto';

export interface BodyHash {
  update(chunk: Uint8Array): unknown;
  /** Hexadecimal. */
  digest(): string;
}

/** For a body of this `Content-Type`. */
export function bodyHash(contentType: string | undefined): BodyHash {
  const boundary = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
  if (boundary) return new PartsHash(boundary[1] ?? boundary[2] ?? '');
  const hash = createHash('sha256');
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('hex') };
}

/** Of the parts of a multipart body. Clients choose a new boundary for each request, so it does not count. */
class PartsHash implements BodyHash {
  readonly #delimiter: Buffer;
  readonly #parts = createHash('sha256');
  #part = createHash('sha256');
  /** The first delimiter is not after a line break. The end of what has arrived may be the beginning of a delimiter. */
  #rest: Buffer = Buffer.from('\r\n');

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  update(chunk: Uint8Array): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter)) {
      this.#part.update(bytes.subarray(0, at));
      this.#endPart();
      bytes = bytes.subarray(at + this.#delimiter.length);
    }
    const sure = Math.max(0, bytes.length - this.#delimiter.length + 1);
    this.#part.update(bytes.subarray(0, sure));
    this.#rest = bytes.subarray(sure);
  }

  digest(): string {
    this.#part.update(this.#rest);
    this.#endPart();
    return this.#parts.digest('hex');
  }

  #endPart(): void {
    this.#parts.update(this.#part.digest());
    this.#part = createHash('sha256');
  }
}
