import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Names that never lead to the public internet (RFC 6761, 6762, 8375, and common internal names). */
const NEVER_PUBLIC = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|invalid|onion)$/;

// Ports below 1024 belong to services such as mail and shells, which are never webhooks.
const LOW_PORTS = ['', '80', '443'];
const FIRST_FREE_PORT = 1_024;

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  // IPv6 addresses that embed IPv4 (mapped, NAT64, 6to4, Teredo) are in other ranges.
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

function mayBePublic(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return bare.includes('.') && !NEVER_PUBLIC.test(bare);
}

/** IPv6 addresses have no brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Undefined if the URL is fine. `URL` normalizes other spellings of IPv4 addresses (decimal, octal, hex, short) like HTTP clients do. */
export function checkReceiverUrl(
  text: string,
  { allowPrivate }: Readonly<{ allowPrivate: boolean }>,
): string | undefined {
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
