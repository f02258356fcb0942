import { describe, expect, it } from 'vitest';
import { NewWebhook } from './webhook.contract.js';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { LogDouble } from '../../../test/support/log-double.js';
import { type EndpointRow, secretContext, Signers } from './endpoint.js';

const sealer = new Sealer(Buffer.alloc(32, 1), new SystemRandomness());
const secret = Buffer.from(`whsec_${Buffer.alloc(32, 9).toString('base64')}`);
const sealed = (id: string, by = sealer, webhook = 'whk_1') => ({
  id,
  sealed: by.seal('webhook-secret', secretContext(webhook, id), secret).toString('hex'),
});

const { url: _, ...OPTIONS } = NewWebhook.parse({ url: 'https://hooks.example.com/', rate_per_second: 5 });

function row(...secrets: EndpointRow['secrets']): EndpointRow {
  return {
    id: 'whk_1',
    url: 'https://hooks.example.com/',
    credentials: null,
    state: 'active',
    version: 3,
    ...OPTIONS,
    breaker: 'open',
    failures: 4,
    openings: 2,
    open_until: new Date(7),
    paced_until: null,
    recovering: true,
    secrets,
  };
}

describe('an endpoint', () => {
  it('has the settings of its row, and one signer per secret, which is opened once', () => {
    const signers = new Signers(sealer, new LogDouble());
    const endpoint = signers.endpoint(row(sealed('sec_2'), sealed('sec_1')));
    expect(endpoint).toMatchObject({
      version: 3,
      options: OPTIONS,
      pacedUntil: 0,
      breaker: { state: 'open', failures: 4, openings: 2, openUntil: 7 },
    });
    expect(endpoint.signers).toHaveLength(2);
    expect(signers.endpoint(row({ id: 'sec_1', sealed: '' })).signers).toEqual([endpoint.signers[1]]);
  });

  it('is signed with the secrets that open; another one is logged once', () => {
    const log = new LogDouble();
    const signers = new Signers(sealer, log);
    const foreign = new Sealer(Buffer.alloc(32, 2), new SystemRandomness());
    const moved = sealed('sec_3', sealer, 'whk_2');
    for (let time = 0; time < 2; time += 1) {
      expect(signers.endpoint(row(sealed('sec_2', foreign), moved, sealed('sec_1'))).signers).toHaveLength(1);
    }
    const logged = log.lines.map(({ fields, message }) => `${String(fields['secret_id'])}: ${message}`);
    expect(logged).toEqual([expect.stringMatching(/^sec_2: .*ENCRYPTION_KEY/), expect.stringMatching(/^sec_3: /)]);
  });
});
