import { expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { ReportLinks } from './report-links.js';

const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const settings = parseSettings({ PUBLIC_URL: 'https://tickets.example/shop' });
const linksWith = (...[key, ...previous]: readonly [Buffer, ...Buffer[]]) =>
  new ReportLinks(new Sealer(key, new SystemRandomness(), previous), settings);

const subscription = { operatorId: 'opr_1', schedule: 'daily' } as const;
const signatureOf = (link: string) => new URL(link).searchParams.get('signature') ?? '';

it('makes an address that is good for one subscription', () => {
  const links = linksWith(before);
  const link = links.unsubscribe(subscription);
  expect(link).toMatch(/^https:\/\/tickets\.example\/shop\/unsubscribe\/opr_1\/daily\?signature=[\w-]{43}$/);
  const isGood = (change: object) => links.isSigned({ ...subscription, ...change }, signatureOf(link));
  expect([isGood({}), isGood({ operatorId: 'opr_2' }), isGood({ schedule: 'weekly' })]).toEqual([true, false, false]);
});

it('makes an address that outlives a change of the key', () => {
  const signature = signatureOf(linksWith(before).unsubscribe(subscription));
  expect(linksWith(after, before).isSigned(subscription, signature)).toBe(true);
  expect(linksWith(after).isSigned(subscription, signature)).toBe(false);
});

it('takes nothing for a signature that is none', () => {
  for (const signature of ['', '…', 'A', 'A'.repeat(43), 'A'.repeat(100)]) {
    expect(linksWith(before).isSigned(subscription, signature)).toBe(false);
  }
});
