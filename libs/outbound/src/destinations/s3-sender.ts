import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionError } from '#delivery-kit/http-response';
import type { Outcome } from '#delivery-kit/attempt';
import type { S3Connection } from '#platform/s3-connection';
import { type BucketAddress, bucketAddress } from './destination-address.js';
import { delivered, type DestinationMessage, type DestinationSender, failed } from './destination-message.js';

/** Lines of a file. As many deliveries of one destination may be in flight. */
export const MOST_LINES = 100;

// A file waits so long for more lines, because each upload costs.
const LONGEST_WAIT_MS = 2_000;

type File = Readonly<{ messages: DestinationMessage[]; full: AbortController; written: Promise<Outcome> }>;

/**
 * Writes files of JSON lines: one for all messages to a destination that come within two seconds. The key of a file follows from its
 * lines, so the same messages make the same file again.
 */
export class S3Sender implements DestinationSender {
  /** Those that still take lines. */
  private readonly files = new Map<string, File>();

  constructor(
    private readonly connection: S3Connection,
    private readonly timeoutMs: number,
  ) {}

  async send(message: DestinationMessage): Promise<Outcome> {
    const address = bucketAddress(message.url);
    if (typeof address === 'string') return failed(`the address ${address}`);
    const name = `${message.webhookId} ${message.url}`;
    const file = this.files.get(name) ?? this.begin(name, address);
    file.messages.push(message);
    if (file.messages.length >= MOST_LINES) file.full.abort();
    return await file.written;
  }

  async close(): Promise<void> {
    const files = [...this.files.values()];
    for (const { full } of files) full.abort();
    await Promise.all(files.map(({ written }) => written));
  }

  private begin(name: string, address: BucketAddress): File {
    const full = new AbortController();
    const messages: DestinationMessage[] = [];
    const file = { messages, full, written: this.write(name, address, messages, full.signal) };
    this.files.set(name, file);
    return file;
  }

  private async write(
    name: string,
    { bucket, prefix }: BucketAddress,
    messages: readonly DestinationMessage[],
    full: AbortSignal,
  ): Promise<Outcome> {
    const waitMs = Math.min(LONGEST_WAIT_MS, this.timeoutMs / 4);
    await pause(waitMs, undefined, { signal: full }).catch(() => undefined);
    this.files.delete(name);
    const lines = messages.toSorted((one, other) => one.position - other.position);
    const key = keyOf(prefix, lines);
    try {
      const { sdk, client } = await this.connection.open();
      const put = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: lines.map(({ body }) => `${body}\n`).join(''),
        ContentType: 'application/x-ndjson',
      });
      await client.send(put, { abortSignal: AbortSignal.timeout(this.timeoutMs - waitMs) });
      return delivered(`s3://${bucket}/${key}`);
    } catch (error) {
      return failed(connectionError(error, this.timeoutMs), (error as Error).message);
    }
  }
}

const DIGITS = 15;

/** `<prefix>/<first position>-<last position>-<digest>.jsonl`, with positions that sort as text. */
function keyOf(prefix: string, lines: readonly DestinationMessage[]): string {
  const place = (line: DestinationMessage | undefined) => String(line?.position ?? 0).padStart(DIGITS, '0');
  const digest = createHash('sha256').update(lines.map(({ body }) => body).join('\n'));
  return `${prefix}/${place(lines[0])}-${place(lines.at(-1))}-${digest.digest('hex').slice(0, 16)}.jsonl`;
}
