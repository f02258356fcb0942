import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hostOf, isPublicAddress, NOT_PUBLIC, refuseUrl } from './public-address.js';

export type Resolved = Readonly<{ address: string; family: number }>;

/** All addresses of a name; throws when it has none. */
export type Resolve = (name: string) => Promise<readonly Resolved[]>;

const systemLookup = promisify(lookup);
const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true });

// A subscriber does not wait longer for a resolver that is away.
const SET_UP_WITHIN_MS = 3_000;

/** A name led to an address outside the public internet. */
export class BlockedAddressError extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
}

/**
 * Keeps deliveries away from addresses that only we can reach (server-side request forgery). A name is resolved once for a
 * connection, all its addresses are checked, and the connection is made to those very addresses: a name that leads elsewhere a
 * moment later (DNS rebinding) gains nothing.
 */
export class AddressGuard {
  private readonly resolving = new Map<string, Promise<readonly Resolved[]>>();

  /** @param allowPrivate for development: http and private addresses too (setting WEBHOOK_ALLOW_PRIVATE). */
  constructor(
    private readonly allowPrivate: boolean,
    private readonly resolve: Resolve = resolveBySystem,
    private readonly setUpWithinMs = SET_UP_WITHIN_MS,
  ) {}

  /** What is wrong with an address as it is written. To be asked before each request: an IP address is never looked up. */
  refuseWritten(url: string): string | undefined {
    return refuseUrl(url, { allowPrivate: this.allowPrivate });
  }

  /**
   * The same, and what is wrong with where its name leads now. A name that cannot be resolved passes: it may be one that is set up
   * later, or the resolver may be away, and it is looked up anew for each connection.
   */
  async refuse(url: string): Promise<string | undefined> {
    const fault = this.refuseWritten(url);
    const host = fault === undefined ? hostOf(new URL(url)) : '';
    if (fault !== undefined || this.allowPrivate || isIP(host) !== 0) return fault;
    const unknown: readonly Resolved[] = [];
    const late = pause(this.setUpWithinMs, unknown, { ref: false });
    const found = await Promise.race([this.resolved(host).catch(() => unknown), late]);
    return found.every(({ address }) => isPublicAddress(address)) ? undefined : NOT_PUBLIC;
  }

  /** For `net.connect`. */
  readonly lookup: LookupFunction = (name, options, callback) => {
    this.resolved(name).then(
      (found) => {
        const [first] = found;
        if (!first || (!this.allowPrivate && !found.every(({ address }) => isPublicAddress(address)))) {
          return callback(new BlockedAddressError(NOT_PUBLIC), []);
        }
        return options.all ? callback(null, [...found]) : callback(null, first.address, first.family);
      },
      (fault: NodeJS.ErrnoException) => callback(fault, []),
    );
  };

  /** Once at a time for a name: the system resolves four at a time, and one slow name must not take all of them. */
  private resolved(name: string): Promise<readonly Resolved[]> {
    const known = this.resolving.get(name);
    if (known) return known;
    const asked = this.resolve(name).finally(() => this.resolving.delete(name));
    this.resolving.set(name, asked);
    return asked;
  }
}
