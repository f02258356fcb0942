import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createHash, randomUUID } from 'node:crypto';

type StoredObject = {
  key: string;
  version: string;
  content: Buffer;
  storedAt: string;
  /** Undefined without a retention. */
  lock?: { mode: string; until: string };
};

const PAGE = 3;
const CREDENTIALS = { accessKeyId: 'a', secretAccessKey: 's' };

/** What an S3-compatible service does with the requests of this project. Every bucket exists; the one named `locked` has Object Lock. */
export class S3Double {
  readonly objects: StoredObject[] = [];
  /** Keys that a delete marker hides. */
  readonly hidden = new Set<string>();
  /** Answers the next requests, and does not do what they say: 0 breaks the connection. */
  readonly failures: number[] = [];
  /** The next upload is done, but its answer is lost. */
  losesAnswer = false;
  now = new Date('2026-11-23T12:00:00.000Z');
  #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<S3Double> {
    const double = new S3Double();
    await once(double.#server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  /** As options of a connection. */
  get options() {
    const { port } = this.#server.address() as AddressInfo;
    return { region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, credentials: CREDENTIALS };
  }

  /** As settings. */
  get settings() {
    const { accessKeyId, secretAccessKey } = CREDENTIALS;
    return {
      S3_ENDPOINT: this.options.endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await buffer(request);
    const failure = this.failures.shift();
    if (failure === 0) return void request.socket.destroy();
    if (failure !== undefined) return refuse(response, failure, 'InternalError');
    if (!String(request.headers.authorization).startsWith(`AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/`)) {
      return refuse(response, 403, 'AccessDenied');
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const [, bucket = '', ...parts] = decodeURIComponent(pathname).split('/');
    const key = parts.join('/');
    const isLocked = bucket === 'locked';
    if (searchParams.has('object-lock')) return answerLock(response, isLocked);
    if (searchParams.has('versions')) return this.#list(response, searchParams);
    if (request.method === 'PUT') return this.#put(request, response, { key, content, isLocked });
    if (request.method === 'DELETE') return this.#remove(response, key, searchParams.get('versionId'), isLocked);
    return this.#read(request, response, key, searchParams.get('versionId'));
  }

  #put(
    { headers, socket }: IncomingMessage,
    response: ServerResponse,
    { key, content, isLocked }: Readonly<{ key: string; content: Buffer; isLocked: boolean }>,
  ): void {
    const mode = headers['x-amz-object-lock-mode'];
    const until = headers['x-amz-object-lock-retain-until-date'];
    if (headers['if-none-match'] === '*' && this.#newest(key)) return refuse(response, 412, 'PreconditionFailed');
    if (mode !== undefined && !isLocked) {
      return refuse(response, 400, 'InvalidRequest', 'Bucket is missing Object Lock Configuration');
    }
    if (mode !== undefined && headers['content-md5'] !== createHash('md5').update(content).digest('base64')) {
      return refuse(response, 400, 'InvalidRequest', 'Content-MD5 HTTP header is required with a retention');
    }
    if (mode !== undefined && !(Date.parse(String(until)) > this.now.getTime())) {
      return refuse(response, 400, 'InvalidArgument', 'The retain until date must be in the future!');
    }
    // Without versions a new object replaces the old one.
    if (!isLocked) this.#forget(key);
    const lock = mode === undefined ? {} : { lock: { mode: String(mode), until: String(until) } };
    this.objects.push({ key, version: randomUUID(), content, storedAt: this.now.toISOString(), ...lock });
    this.hidden.delete(key);
    if (this.losesAnswer) {
      this.losesAnswer = false;
      socket.destroy();
    } else response.writeHead(200).end();
  }

  #remove(response: ServerResponse, key: string, version: string | null, isLocked: boolean): void {
    const object = this.objects.find((each) => each.key === key && each.version === version);
    if (object?.lock) return refuse(response, 403, 'AccessDenied', 'object protected by object lock');
    if (isLocked) this.hidden.add(key);
    else this.#forget(key);
    response.writeHead(204).end();
  }

  #read({ headers }: IncomingMessage, response: ServerResponse, key: string, version: string | null): void {
    const object =
      version === null ? this.#newest(key) : this.objects.find((each) => each.key === key && each.version === version);
    if (!object) return refuse(response, 404, 'NoSuchKey');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const part = first === undefined ? object.content : object.content.subarray(Number(first), Number(last) + 1);
    const status = first === undefined ? 200 : 206;
    response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(part);
  }

  #list(response: ServerResponse, asked: URLSearchParams): void {
    const all = this.objects
      .filter(({ key }) => key.startsWith(asked.get('prefix') ?? ''))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const after = asked.get('version-id-marker');
    const from = after === null ? 0 : all.findIndex(({ version }) => version === after) + 1;
    const page = all.slice(from, from + PAGE);
    const last = page.at(-1);
    const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.version}</NextVersionIdMarker>`;
    const isMore = from + PAGE < all.length;
    const markers = [...this.hidden].map(
      (key) => `<DeleteMarker><Key>${key}</Key><IsLatest>true</IsLatest></DeleteMarker>`,
    );
    xml(
      response,
      200,
      `<ListVersionsResult><IsTruncated>${isMore}</IsTruncated>${isMore ? next : ''}${page.map(asXml).join('')}${markers.join('')}</ListVersionsResult>`,
    );
  }

  #newest(key: string): StoredObject | undefined {
    return this.hidden.has(key) ? undefined : this.objects.findLast((each) => each.key === key);
  }

  #forget(key: string): void {
    const at = this.objects.findIndex((each) => each.key === key);
    if (at >= 0) this.objects.splice(at, 1);
  }
}

const asXml = ({ key, version, storedAt }: StoredObject) =>
  `<Version><Key>${key}</Key><VersionId>${version}</VersionId><LastModified>${storedAt}</LastModified></Version>`;

function answerLock(response: ServerResponse, isLocked: boolean): void {
  if (!isLocked) return refuse(response, 404, 'ObjectLockConfigurationNotFoundError');
  const enabled = '<ObjectLockEnabled>Enabled</ObjectLockEnabled>';
  xml(response, 200, `<ObjectLockConfiguration>${enabled}</ObjectLockConfiguration>`);
}

function refuse(response: ServerResponse, status: number, code: string, message = code): void {
  xml(response, status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

function xml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`);
}
