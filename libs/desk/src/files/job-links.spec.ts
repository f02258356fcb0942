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

function queryOf({ url }: { url: string }): { expires: number; by: string; signature: string } {
  const { searchParams } = new URL(url);
  const of = (name: string) => searchParams.get(name) ?? '';
  return { expires: Number(of('expires')), by: of('by'), signature: of('signature') };
}

describe('a link to the file of a job', () => {
  it('opens it for an hour', () => {
    const links = linksWith(before);
    const query = queryOf(links.make('job_1', 'operator:opr_1'));
    clock.advance(3_600_000);
    expect(links.check('job_1', query)).toBe('valid');
    clock.advance(1);
    expect(links.check('job_1', query)).toBe('expired');
    expect(links.check('job_1', { ...query, expires: query.expires + 1 })).toBe('forged');
  });

  it('knows its maker, whom its address does not name, and is forged with another', () => {
    const links = linksWith(before);
    const link = links.make('job_1', 'operator:opr_1');
    expect(link.url).not.toContain('opr_1');
    expect(links.makerOf('job_1', queryOf(link))).toBe('operator:opr_1');
    const other = queryOf(links.make('job_1', 'operator:opr_2'));
    expect(links.check('job_1', { ...queryOf(link), by: other.by })).toBe('forged');
    expect(links.check('job_1', { ...queryOf(link), by: undefined })).toBe('forged');
  });

  it('outlives a change of the key while the earlier one is known', () => {
    const query = queryOf(linksWith(before).make('job_1', 'operator:opr_1'));
    expect(linksWith(after, before).check('job_1', query)).toBe('valid');
    expect(linksWith(after).check('job_1', query)).toBe('forged');
  });
});
