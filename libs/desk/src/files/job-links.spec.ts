import { describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { JobLinks } from './job-links.js';

const [before, after] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const clock = new FixedClock();
const linksWith = (...[key, ...previous]: readonly [Buffer, ...Buffer[]]) =>
  new JobLinks(new Sealer(key, new SystemRandomness(), previous), clock, parseSettings({}));

function queryOf({ url }: { url: string }): { expires: number; signature: string } {
  const { searchParams } = new URL(url);
  return { expires: Number(searchParams.get('expires')), signature: searchParams.get('signature') ?? '' };
}

describe('a link to the file of a job', () => {
  it('opens it for an hour', () => {
    const links = linksWith(before);
    const query = queryOf(links.make('job_1'));
    clock.advance(3_600_000);
    expect(links.check('job_1', query)).toBe('valid');
    clock.advance(1);
    expect(links.check('job_1', query)).toBe('expired');
    expect(links.check('job_1', { ...query, expires: query.expires + 1 })).toBe('forged');
  });

  it('outlives a change of the key while the earlier one is known', () => {
    const query = queryOf(linksWith(before).make('job_1'));
    expect(linksWith(after, before).check('job_1', query)).toBe('valid');
    expect(linksWith(after).check('job_1', query)).toBe('forged');
  });
});
