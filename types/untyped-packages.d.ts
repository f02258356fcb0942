declare module 'iso-3166-2' {
  export function subdivision(code: string): { name: string; code: string; countryCode: string } | null;
  export function subdivision(country: string, code: string): { name: string; code: string } | null;
  export function country(code: string): { name: string; sub: Record<string, { name: string; type: string }> } | null;
  const iso: { subdivision: typeof subdivision; country: typeof country };
  export default iso;
}

declare module 'autocannon' {
  type Client = { getRequestBuffer: () => Buffer; on(event: 'response', listener: () => void): void };
  type Result = {
    statusCodeStats: Readonly<Record<number, { count: number }>>;
    errors: number;
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    /** Per second. */
    requests: { average: number };
    /** Bytes per second. */
    throughput: { average: number };
  };
  /** The time-out of an answer is in seconds, 10 if left out. */
  type Amount = { amount: number; timeout?: number; setupClient: (client: Client) => void };
  type Duration = {
    /** Seconds. */
    duration: number;
    requests: readonly { path: string }[];
  };
  export default function autocannon(
    options: { url: string; connections: number } & (Amount | Duration),
  ): Promise<Result>;
}

declare module 'zipcodes' {
  export type Place = {
    zip: string;
    city: string;
    state: string;
    country: string;
    latitude: number | null;
    longitude: number | null;
  };
  const zipcodes: { codes: Readonly<Record<string, Place>> };
  export default zipcodes;
}

declare module 'seatgeek' {
  export type Options = Readonly<Record<string, string | number | readonly number[]>>;
  type Done = (error: Error | null, answer: unknown) => void;
  /** Without options the callback comes first. */
  export type Call = { (options: Options, done: Done): void; (done: Done): void };
  const seatgeek: Readonly<{ events: Call; performers: Call; venues: Call }>;
  export default seatgeek;
}

declare module 'tar-stream' {
  import type { Readable, Writable } from 'node:stream';
  type Header = { name: string; mode?: number; size?: number; type?: 'file' | 'directory' };
  type Pack = Readable & {
    entry(header: Header, done: (error?: Error | null) => void): Writable;
    entry(header: Header, content: string | Buffer): Writable;
    finalize(): void;
  };
  type Entry = Readable & { header: Required<Header> };
  type Extract = Writable & AsyncIterable<Entry>;
  export function pack(): Pack;
  export function extract(): Extract;
}

declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: Readonly<{ headers: Readonly<Record<string, string>> }>);
    /** Of equal ones the first of `preferred`. */
    encoding<Encoding extends string>(
      available: readonly Encoding[],
      options: Readonly<{ preferred: readonly Encoding[] }>,
    ): Encoding | undefined;
    /** The type that `Accept` prefers. */
    mediaType<Type extends string>(available: readonly Type[]): Type | undefined;
  }
}
