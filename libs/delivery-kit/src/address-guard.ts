import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hostOf, isPublicAddress, NOT_PUBLIC, checkReceiverUrl } from './public-address.js';

export type Resolved = Readonly<{ address: string; family: number }>;

export type Resolve = (name: string) => Promise<readonly Resolved[]>;

const systemLookup = promisify(lookup);
const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true });

// Somebody who creates a webhook does not wait longer than this for DNS.
const RESOLVE_TIMEOUT_MS = 3_000;

class BlockedAddressError extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
}

/** Blocks addresses inside our network (SSRF). A connection uses exactly the addresses that were checked, which defeats DNS rebinding. */
export class AddressGuard {
  private readonly resolving = new Map<string, Promise<readonly Resolved[]>>();

  /** @param allowPrivate also allows http and private addresses (WEBHOOK_ALLOW_PRIVATE) */
  constructor(
    readonly allowPrivate: boolean,
    private readonly resolve: Resolve = resolveBySystem,
    private readonly resolveTimeoutMs = RESOLVE_TIMEOUT_MS,
  ) {}

  /** Does not resolve the name. Call it before each request, because IP addresses skip `lookup`. */
  checkUrl(url: string): string | undefined {
    return checkReceiverUrl(url, { allowPrivate: this.allowPrivate });
  }

  /** Also checks the addresses of the name. An unresolvable name passes: it may be set up later, and each connection resolves it again. */
  async checkAddress(url: string): Promise<string | undefined> {
    const issue = this.checkUrl(url);
    const host = issue === undefined ? hostOf(new URL(url)) : '';
    if (issue !== undefined || this.allowPrivate || isIP(host) !== 0) return issue;
    const unknown: readonly Resolved[] = [];
    const late = pause(this.resolveTimeoutMs, unknown, { ref: false });
    const found = await Promise.race([this.resolved(host).catch(() => unknown), late]);
    return found.every(({ address }) => isPublicAddress(address)) ? undefined : NOT_PUBLIC;
  }

  readonly lookup: LookupFunction = (name, options, callback) => {
    this.resolved(name).then(
      (found) => {
        const [first] = found;
        if (!first || (!this.allowPrivate && !found.every(({ address }) => isPublicAddress(address)))) {
          return callback(new BlockedAddressError(NOT_PUBLIC), []);
        }
        return options.all ? callback(null, [...found]) : callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  /** An address of the name, or the host itself if it is one: for clients that cannot use `lookup`. Call `checkUrl` first. */
  async addressOf(host: string): Promise<string> {
    if (isIP(host) !== 0) return host;
    return await new Promise((resolve, reject) => {
      this.lookup(host, { all: false }, (error, address) => (error ? reject(error) : resolve(address as string)));
    });
  }

  /** Shares concurrent lookups of a name. Node resolves only four at a time, and one slow name must not take all four. */
  private resolved(name: string): Promise<readonly Resolved[]> {
    const running = this.resolving.get(name);
    if (running) return running;
    const lookup = this.resolve(name).finally(() => this.resolving.delete(name));
    this.resolving.set(name, lookup);
    return lookup;
  }
}
