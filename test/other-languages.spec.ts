import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSignedBy } from '#client/signature';
import { verifyWebhook } from '#client/webhooks';
import { temporaryFolder } from './support/temporary-folder.js';

const page = readFileSync(new URL('../docs/other-languages.md', import.meta.url), 'utf8');
const cells = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));

const checkoutVectors = [...page.matchAll(/^\|.*\| `[\w+/]{27}=` \|$/gm)].map(([row]) => {
  const [secret = '', method = '', path = '', body = '', signature = ''] = cells(row);
  return { secret, method, path, body, signature };
});

const field = (name: string) => new RegExp(`^\\| ${name} \\| \`(.+)\` \\|$`, 'm').exec(page)?.[1] ?? '';
const webhook = {
  secret: field('secret'),
  id: field('`webhook-id`'),
  timestamp: Number(field('`webhook-timestamp`')),
  body: field('body'),
  signature: field('`webhook-signature`'),
};
const webhookHeaders = {
  'webhook-id': webhook.id,
  'webhook-timestamp': String(webhook.timestamp),
  'webhook-signature': webhook.signature,
};

describe('the test vectors of docs/other-languages.md', () => {
  it('match the signatures of willcall-client', () => {
    expect(checkoutVectors).toHaveLength(3);
    for (const { secret, method, path, body, signature } of checkoutVectors) {
      const request = { method, path, body };
      expect(isSignedBy(`XX c:${signature}`, request, { clientId: 'c', secrets: [secret] }), path).toBe(true);
    }
    const now = () => webhook.timestamp * 1_000;
    const event = verifyWebhook({ headers: webhookHeaders, body: webhook.body }, { secrets: [webhook.secret], now });
    expect(event.id).toBe(webhook.id);
    const at = new Date(webhook.timestamp * 1_000);
    expect(new Webhook(webhook.secret).sign(webhook.id, at, webhook.body)).toBe(webhook.signature);
  });
});

const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.log('Skipped without python3: the Python examples of docs/other-languages.md.');

describe.runIf(python)('the Python examples of docs/other-languages.md', () => {
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder('python');
    for (const [, code = '', name = ''] of page.matchAll(/^```python\n(# (\w+\.py)\n[^]*?)^```$/gm)) {
      writeFileSync(join(folder, name), code);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string, input: object) => {
    const { stdout, stderr } = spawnSync(
      'python3',
      ['-c', `import json, sys\ngiven = json.load(sys.stdin)\n${script}`],
      {
        cwd: folder,
        input: JSON.stringify(input),
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    return stdout.trim();
  };

  it('make the signatures of the vectors', () => {
    for (const vector of checkoutVectors) {
      const script = `from checkout import sign\nprint(sign(given['secret'], given['method'], given['path'], given['body'].encode()))`;
      expect(run(script, vector)).toBe(vector.signature);
    }
  });

  it('verify a webhook, and reject a changed or old one', () => {
    const script = `from webhook import verify\nprint(verify(given['secret'], given['headers'], given['body'].encode(), given['now']))`;
    const given = { ...webhook, headers: webhookHeaders, now: webhook.timestamp + 10 };
    expect(run(script, given)).toBe('True');
    expect(run(script, { ...given, body: `${webhook.body} ` })).toBe('False');
    expect(run(script, { ...given, now: webhook.timestamp + 301 })).toBe('False');
  });
});
