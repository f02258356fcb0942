import { describe, expect, it } from 'vitest';
import { isPublicAddress, checkReceiverUrl } from './public-address.js';

const corpus = (text: string) => text.trim().split(/\s+/);
const rejection = (url: string) => checkReceiverUrl(url, { allowPrivate: false });

describe('an address of the public internet', () => {
  it.each([
    '93.184.216.34',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2a00:1450::1',
  ])('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(
    corpus(`
      127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254
      100.64.0.1 100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1
      239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1 :: ::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1
      fd12:3456:789a::1 ff02::1 2001:db8::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:93.184.216.34 ::127.0.0.1
      ::5db8:d822 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::5db8:d822 64:ff9b:1::1 2002:7f00:1::1
      2002:5db8:d822::1 2001::1 100::1 localhost 127.1 ::1:: 1.2.3.4.5 x`),
  )('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('the address of a receiver', () => {
  it.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com.',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'HTTPS://HOOKS.EXAMPLE.COM',
  ])('may be %s', (url) => expect(rejection(url)).toBeUndefined());

  it.each(
    corpus(`
      https://127.0.0.1/ https://127.1/ https://127.0.1/ https://2130706433/ https://0x7f000001/
      https://0x7f.0.0.1/ https://0177.0.0.1/ https://017700000001/ https://0x7f.1/ https://127.0.0.1./
      https://%31%32%37.0.0.1/ https://１２７.0.0.1/ https://127。0。0。1/ https://0/ https://00/
      https://169.254.169.254/latest/meta-data https://2852039166/ https://0xa9fea9fe/
      https://0251.0376.0251.0376/ https://10.1/ https://192.168.0.1/ https://172.16.5.4:8443/
      https://100.64.0.1/ https://[::1]/ https://[::]/ https://[0:0:0:0:0:0:0:1]/ https://[::ffff:127.0.0.1]/
      https://[::ffff:7f00:1]/ https://[::127.0.0.1]/ https://[64:ff9b::169.254.169.254]/
      https://[2002:a9fe:a9fe::]/ https://[fd00:ec2::254]/ https://[fe80::1]/ https://[fec0::1]/
      https://[2001:0:53aa:64c::1]/`),
  )('is not %s, which is private', (url) => expect(rejection(url)).toBe('must lead to a public address'));

  it.each(
    corpus(`
      https://localhost/ https://LOCALHOST./ https://a.localhost/ https://printer.local/ https://metadata.google.internal/
      https://db/ https://db./ https://router.lan/ https://nas.home.arpa/ https://hooks.invalid/`),
  )('is not %s, whose name is of no public host', (url) =>
    expect(rejection(url)).toBe('must lead to a public address'),
  );

  it.each(['https://local.example.com/', 'https://internal.example/', 'https://mylocal.com/', 'https://lan.party/'])(
    'may be %s, which only looks like one',
    (url) => expect(rejection(url)).toBeUndefined(),
  );

  it.each([
    ['http://hooks.example.com/', 'must begin with https://'],
    ['ftp://hooks.example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['gopher://127.0.0.1:6379/_', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['hooks.example.com', 'must be an address'],
    ['', 'must be an address'],
    ['https://', 'must be an address'],
    ['https://[::1', 'must be an address'],
    ['https://[fe80::1%25eth0]/', 'must be an address'],
    ['https://256.256.256.256/', 'must be an address'],
    ['https://1.2.3.4.5/', 'must be an address'],
    ['https://exa mple.com/', 'must be an address'],
    ['https://user@hooks.example.com/', 'must not hold a user or a password'],
    ['https://user:password@hooks.example.com/', 'must not hold a user or a password'],
    ['https://hooks.example.com@127.0.0.1/', 'must not hold a user or a password'],
    ['https://127.0.0.1#@hooks.example.com/', 'must not have a fragment'],
    ['https://hooks.example.com/#', 'must not have a fragment'],
    ['https://hooks.example.com:22/', 'must have port 443 or one from 1024 on'],
    ['https://hooks.example.com:25/', 'must have port 443 or one from 1024 on'],
    ['https://hooks.example.com:0/', 'must have port 443 or one from 1024 on'],
    ['https://hooks.example.com:99999/', 'must be an address'],
  ])('is not %s: it %s', (url, error) => expect(rejection(url)).toBe(error));

  it('may be http and private if that is allowed, but nothing worse', () => {
    const allowed = (url: string) => checkReceiverUrl(url, { allowPrivate: true });
    for (const url of ['http://127.0.0.1:9000/x', 'http://localhost:3000', 'https://[::1]:8443/']) {
      expect(allowed(url)).toBeUndefined();
    }
    expect(allowed('ftp://127.0.0.1/')).toBe('must begin with https://');
    expect(allowed('http://user@127.0.0.1:9000/')).toBe('must not hold a user or a password');
    expect(allowed('http://127.0.0.1:22/')).toBe('must have port 443 or one from 1024 on');
  });
});
