import type { AddressGuard } from '#delivery-kit/address-guard';
import type { TestDelivery, Webhook } from '../webhook.contract.js';

/** What receives deliveries: `http` is a webhook in the narrow sense. */
export type DestinationKind = Webhook['kind'];
export type BrokerKind = Exclude<DestinationKind, 'http' | 's3'>;

/** What is done at the address. */
export const methodOf = (url: string) => METHOD[kindOf(url)];
const METHOD: Readonly<Record<DestinationKind, TestDelivery['request']['method']>> = {
  http: 'POST',
  nats: 'PUBLISH',
  rabbitmq: 'PUBLISH',
  s3: 'PUT',
};

/** `path` has no slash before it. `credentials` are user and password as in a URL, percent-encoded. */
export type BrokerAddress = Readonly<{
  encrypted: boolean;
  host: string;
  port: number;
  path: string;
  credentials: string | undefined;
  /** The same address without user and password. */
  shown: string;
}>;

type Broker = Readonly<{
  plain: string;
  encrypted: string;
  ports: Readonly<{ plain: number; encrypted: number }>;
  path: RegExp;
  pathRule: string;
}>;

const BROKERS: Readonly<Record<BrokerKind, Broker>> = {
  nats: {
    plain: 'nats:',
    encrypted: 'tls:',
    ports: { plain: 4222, encrypted: 4222 },
    path: /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,7}$/,
    pathRule: 'must end with the first part of the subjects, e.g. /willcall',
  },
  rabbitmq: {
    plain: 'amqp:',
    encrypted: 'amqps:',
    ports: { plain: 5672, encrypted: 5671 },
    path: /^[\w.%-]{1,255}\/[\w.%-]{1,255}$/,
    pathRule: 'must end with virtual host and exchange, e.g. /%2F/willcall',
  },
};

/** An unknown scheme counts as `http`, where the address guard refuses it. */
export function kindOf(url: string): DestinationKind {
  const scheme = url.slice(0, url.indexOf(':') + 1).toLowerCase();
  if (scheme === 's3:') return 's3';
  for (const [kind, { plain, encrypted }] of Object.entries(BROKERS)) {
    if (scheme === plain || scheme === encrypted) return kind as DestinationKind;
  }
  return 'http';
}

/** @returns what is wrong as a string */
export function brokerAddress(url: string, kind: BrokerKind): BrokerAddress | string {
  const { plain, encrypted, ports, path: allowedPath, pathRule } = BROKERS[kind];
  const web = `https:${url.slice(url.indexOf(':') + 1)}`;
  if (!url.includes('://') || !URL.canParse(url) || !URL.canParse(web)) return 'must be an address';
  // Only for web addresses does it normalize other spellings of IPv4 addresses.
  const { hostname, username, password, pathname, search } = new URL(web);
  const { protocol, port } = new URL(url);
  if (search !== '' || url.includes('?') || url.includes('#')) return 'must not have a query or a fragment';
  const path = pathname.slice(1);
  if (!allowedPath.test(path) || !canDecode(path)) return pathRule;
  const credentials = username === '' && password === '' ? undefined : `${username}:${password}`;
  if (!canDecode(credentials)) return 'must have its user and password percent-encoded';
  return {
    encrypted: protocol === encrypted,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === plain ? ports.plain : ports.encrypted),
    path,
    credentials,
    shown: `${protocol}//${hostname}${port === '' ? '' : `:${port}`}/${path}`,
  };
}

function canDecode(credentials = ''): boolean {
  try {
    return decodeURIComponent(credentials) !== undefined;
  } catch {
    return false;
  }
}

/** Decoded. Both are empty without credentials. */
export function loginOf(credentials = ':'): Readonly<{ user: string; password: string }> {
  const colon = credentials.indexOf(':');
  return {
    user: decodeURIComponent(credentials.slice(0, colon)),
    password: decodeURIComponent(credentials.slice(colon + 1)),
  };
}

/** Undefined if deliveries may go there. Resolves no name. */
export function brokerIssue(address: BrokerAddress, kind: BrokerKind, guard: AddressGuard): string | undefined {
  if (!address.encrypted && !guard.allowPrivate) return `must begin with ${BROKERS[kind].encrypted}//`;
  return guard.checkUrl(webAddress(address));
}

export type BucketAddress = Readonly<{ bucket: string; prefix: string }>;

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([\w-][\w.-]{0,63}(?:\/[\w-][\w.-]{0,63}){0,7})$/;

/** @returns what is wrong as a string */
export function bucketAddress(url: string): BucketAddress | string {
  const [, bucket, prefix] = BUCKET.exec(url) ?? [];
  if (bucket === undefined || prefix === undefined)
    return 'must be s3://, a bucket and a folder, e.g. s3://my-bucket/willcall';
  return { bucket, prefix };
}

/** As the address guard takes it. */
export function webAddress({ host, port }: Pick<BrokerAddress, 'host' | 'port'>): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
