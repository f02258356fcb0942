import { expect, it } from 'vitest';
import { AddressGuard } from '#delivery-kit/address-guard';
import { checkedDestination } from './checked-destination.js';
import { loginOf } from './destination-address.js';

const open = new AddressGuard(true);
const strict = new AddressGuard(false, async () => [{ address: '93.184.216.34', family: 4 }]);

it('takes user and password out of the address', async () => {
  const url = 'tls://ada:p%40ss@nats.example.com/tickets.willcall';
  const found = await checkedDestination(url, strict);
  expect(found).toEqual({ url: 'tls://nats.example.com/tickets.willcall', credentials: 'ada:p%40ss' });
  expect(loginOf('ada:p%40ss')).toEqual({ user: 'ada', password: 'p@ss' });
  expect(loginOf('token:')).toEqual({ user: 'token', password: '' });
  expect(loginOf(undefined)).toEqual({ user: '', password: '' });
});

it('keeps a web address as it is', async () => {
  const url = 'https://hooks.example.com/a?b=c';
  expect(await checkedDestination(url, strict)).toEqual({ url, credentials: undefined });
});

it.each([
  ['nats://nats.example.com/a', 'must begin with tls://'],
  ['tls://127.0.0.1/a', 'must lead to a public address'],
  ['tls://0x7f000001/a', 'must lead to a public address'],
  ['tls://2130706433/a', 'must lead to a public address'],
  ['tls://[::ffff:127.0.0.1]/a', 'must lead to a public address'],
  ['tls://localhost/a', 'must lead to a public address'],
  ['tls://nats.example.com:25/a', 'must have port 443 or one from 1024 on'],
  ['tls://nats.example.com', 'must end with the first part of the subjects, e.g. /willcall'],
  ['tls://nats.example.com/a.*', 'must end with the first part of the subjects, e.g. /willcall'],
  ['tls://nats.example.com/a?b=c', 'must not have a query or a fragment'],
  ['tls://nats.example.com/a#', 'must not have a query or a fragment'],
  ['tls://a:%zz@nats.example.com/a', 'must have its user and password percent-encoded'],
  ['tls:nats.example.com', 'must be an address'],
  ['amqp://rabbit.example.com/%2F/a', 'must begin with amqps://'],
  ['amqps://10.0.0.1/%2F/a', 'must lead to a public address'],
  ['amqps://rabbit.example.com/a', 'must end with virtual host and exchange, e.g. /%2F/willcall'],
  ['amqps://rabbit.example.com/a/b/c', 'must end with virtual host and exchange, e.g. /%2F/willcall'],
  ['s3://bucket', 'must be s3://, a bucket and a folder, e.g. s3://my-bucket/willcall'],
  ['s3://key:secret@bucket/a', 'must be s3://, a bucket and a folder, e.g. s3://my-bucket/willcall'],
  ['s3://bucket/../a', 'must be s3://, a bucket and a folder, e.g. s3://my-bucket/willcall'],
  ['ftp://nats.example.com/a', 'must begin with https://'],
])('refuses %s', async (url, issue) => {
  expect(await checkedDestination(url, strict)).toEqual({ issue });
});

it.each(['amqps://rabbit.example.com:5671/%2F/willcall', 's3://my-bucket/willcall/pings'])('takes %s', async (url) => {
  expect(await checkedDestination(url, strict)).toEqual({ url, credentials: undefined });
});

it('resolves a name, and refuses one that leads to a private address', async () => {
  const inside = new AddressGuard(false, async () => [{ address: '10.0.0.1', family: 4 }]);
  const issue = 'must lead to a public address';
  expect(await checkedDestination('tls://nats.example.com/a', inside)).toEqual({ issue });
});

it('takes plain connections and private addresses where those are allowed', async () => {
  const url = 'nats://[::1]:4300/a';
  expect(await checkedDestination(url, open)).toEqual({ url, credentials: undefined });
});
