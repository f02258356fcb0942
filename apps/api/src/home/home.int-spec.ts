import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestApi } from '../../../../test/support/api.js';
import { call } from '../../../../test/support/callers.js';

const linksIn = (text: string) => [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);

it('is a page whose links all work, without a script and with a strict policy', async () => {
  const api = await startTestApi();
  try {
    const page = await call(`${api.url}/about`, 'GET');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(page.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(page.text).not.toMatch(/<script|\s(?:style|on\w+)=/);
    expect(linksIn(page.text)).toEqual(['./', 'docs', 'openapi.json', 'asyncapi.json', 'sandbox', 'health/ready']);
    for (const link of linksIn(page.text)) expect((await call(`${api.url}/${link}`, 'GET')).status, link).toBe(200);
  } finally {
    await api.close();
  }
});

it('does not link to a sandbox or to documentation if there is none', async () => {
  const api = await startTestApi({ PLATFORM_URL: 'https://platform.example', DOCS: 'false' });
  try {
    expect(linksIn((await call(`${api.url}/about`, 'GET')).text)).toEqual(['./', 'health/ready']);
  } finally {
    await api.close();
  }
});
