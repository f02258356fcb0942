import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { knownHosts, refuseUnknownHosts } from './known-host.js';
import { setSecurityHeaders } from './security-headers.js';

describe('a Host is known', () => {
  const isKnown = knownHosts(
    parseSettings({
      PUBLIC_URL: 'https://Tickets.example/shop',
      HOST: 'box.lan',
      ALLOWED_HOSTS: 'other.example, willcall.default.svc',
    }),
  );

  it.each([
    ['the name of PUBLIC_URL', ['tickets.example', 'tickets.example:8443', 'TICKETS.EXAMPLE', 'tickets.example.']],
    ['the name of HOST', ['box.lan:3000']],
    ['a name of ALLOWED_HOSTS', ['other.example', 'willcall.default.svc:3000']],
    ['a name of this machine', ['localhost', 'localhost:3000', 'shop.localhost:3000', '127.0.0.1:3000', '[::1]:3000']],
    ['an address, which no page can take as its name', ['10.1.2.3', '192.0.2.7:80', '[fd00::7]:80']],
    ['a name that public DNS does not have', ['api:3000', 'willcall']],
    ['missing, as in HTTP/1.0', ['']],
  ])('if it is %s', (_what, hosts) => {
    expect(hosts.filter((host) => !isKnown(host))).toEqual([]);
  });

  it('else not', () => {
    const others = ['evil.example', 'tickets.example.evil.example', 'www.tickets.example', '127.0.0.1.evil.example'];
    const odd = ['127.1', 'evil.example:3000', 'x.localhost.evil.example', 'a.example@tickets.example'];
    expect([...others, ...odd].filter(isKnown)).toEqual([]);
  });
});

it('a server with health and metrics refuses other hosts, but not of health checks', async () => {
  const server = fastify();
  setSecurityHeaders(server);
  refuseUnknownHosts(server, parseSettings({}));
  server.get('/metrics', () => 'metrics');
  server.get('/health/live', () => 'live');
  const ask = async (url: string, host: string) => {
    const { statusCode, headers } = await server.inject({ url, headers: { host } });
    return [statusCode, headers['x-content-type-options'], headers['cache-control']];
  };
  expect(await ask('/metrics', 'localhost:3001')).toEqual([200, 'nosniff', 'no-store']);
  expect(await ask('/metrics', 'rebound.example')).toEqual([421, 'nosniff', 'no-store']);
  expect(await ask('/health/live', 'rebound.example')).toEqual([200, 'nosniff', 'no-store']);
  await server.close();
});
