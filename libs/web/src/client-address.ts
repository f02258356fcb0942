import { BlockList, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One client's address as a key. An IPv6 client has a whole /64 network, so its last 64 bits do not count. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address.replace(/%.*$/, ''));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts.slice(0, 4).join(':');
}

/** The networks of TRUST_PROXY. */
export function proxyNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [ip = '', prefix] = network.split('/');
    const family = isIPv6(ip) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(prefix), family);
  }
  return list;
}

export function isFrom(networks: BlockList, { remoteAddress = '', remoteFamily }: Socket): boolean {
  return networks.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4');
}
