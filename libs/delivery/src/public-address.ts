import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Of IPv6 only this is given to the public internet; what is neither in it nor private is no place to send to either. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Names that lead nowhere in the public internet (RFC 6761, 6762, 8375, and what networks use among themselves). */
const NEVER_PUBLIC = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|invalid|onion)$/;

// Below 1024 listen mail, databases' proxies and shells, that nobody means by a webhook.
const LOW_PORTS = ['', '80', '443'];
const FIRST_FREE_PORT = 1_024;

/** Whether an IP address, as a resolver gives it, belongs to a host of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  // Everything that leads to an IPv4 address by way of IPv6 (mapped, NAT64, 6to4, Teredo) has a range of its own.
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** Whether a name can lead to a host of the public internet at all; names without a dot are those of one's own network. */
function mayBePublic(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return bare.includes('.') && !NEVER_PUBLIC.test(bare);
}

/** The host of an address: an IP address (of IPv6 without brackets) or a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * What is wrong with the address of a receiver as it is written; undefined when nothing is. Numbers that spell an IPv4
 * address in other ways (decimal, octal, hex, short) are read by `URL` as clients read them.
 */
export function refuseUrl(text: string, { allowPrivate }: Readonly<{ allowPrivate: boolean }>): string | undefined {
  if (!URL.canParse(text)) return 'must be an address';
  const url = new URL(text);
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (!LOW_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT)
    return 'must have port 443 or one from 1024 on';
  const host = hostOf(url);
  const isPublic = isIP(host) === 0 ? mayBePublic(host) : isPublicAddress(host);
  return allowPrivate || isPublic ? undefined : NOT_PUBLIC;
}

export const NOT_PUBLIC = 'must lead to a public address';
