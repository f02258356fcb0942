import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressKey, isFrom, proxyNetworks } from './client-address.js';

describe('the key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
  ])('of IPv4 is the address: %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('of IPv6 is the network of 64 bits', () => {
    expect(addressKey('2001:db8:1:2::7')).toBe(addressKey('2001:db8:1:2:ffff::1'));
    expect(addressKey('2001:db8:1:2::7')).not.toBe(addressKey('2001:db8:1:3::7'));
    expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2%eth0'));
  });
});

it.each([
  ['10.0.0.0/8', '10.1.2.3', 'IPv4', true],
  ['10.0.0.0/8', '::ffff:10.1.2.3', 'IPv6', true],
  ['10.0.0.1', '10.0.0.2', 'IPv4', false],
  ['fd00::/8', 'fd12::1', 'IPv6', true],
])('a proxy of %s is at %s (%s): %s', (network, remoteAddress, remoteFamily, is) => {
  expect(isFrom(proxyNetworks([network]), { remoteAddress, remoteFamily } as Socket)).toBe(is);
});
