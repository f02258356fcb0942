import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import { quietPort } from '../../../../test/support/quiet-port.js';
import { S3Double } from '../../../../test/support/s3-double.js';
import { checkAnchors } from './anchor-checks.js';

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const SERVER = { DATABASE_URL: 'postgres://database.example/willcall' };

let service: S3Double;
beforeAll(async () => {
  service = await S3Double.start();
});
afterAll(() => service.stop());

const checked = (environment: Environment) => checkAnchors(parseSettings(environment));

describe('anchors', () => {
  it.each([
    [{}, 'ok'],
    [SERVER, 'warn'],
    [{ ...SERVER, LEDGER_ANCHORS: '/mnt/kept/anchors' }, 'ok'],
    [{ ...SERVER, LEDGER_ANCHOR_URL: 'https://a.example', LEDGER_ANCHOR_SECRET: SECRET }, 'ok'],
  ] as [Environment, string][])('under %j are %s', async (environment, state) => {
    expect((await checked(environment)).state).toBe(state);
  });

  it('are kept by a bucket only if it has Object Lock', async () => {
    const settings = { ...SERVER, ...service.settings };
    expect(await checked({ ...settings, LEDGER_ANCHOR_BUCKET: 's3://locked/willcall' })).toMatchObject({
      state: 'ok',
      detail: 'in s3://locked/willcall, locked for 365 days (compliance)',
    });
    expect(await checked({ ...settings, LEDGER_ANCHOR_BUCKET: 's3://open' })).toMatchObject({
      state: 'fail',
      detail: 's3://open has no Object Lock',
    });
  });

  it('in a bucket that does not answer are a problem', async () => {
    const S3_ENDPOINT = `http://127.0.0.1:${await quietPort()}`;
    const settings = { ...SERVER, ...service.settings, S3_ENDPOINT, LEDGER_ANCHOR_BUCKET: 's3://locked' };
    const finding = await checked(settings);
    expect([finding.state, finding.detail]).toEqual(['fail', expect.stringContaining('ECONNREFUSED')]);
  });
});
