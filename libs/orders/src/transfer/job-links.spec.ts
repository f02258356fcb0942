import { expect, it } from 'vitest';
import { parseSettings } from '#config/load-settings';
import { Sealer } from '#crypto/sealing';
import { SystemRandomness } from '#runtime/randomness';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { JobLinks } from './job-links.js';

it('a link to the file of a job opens it for an hour', () => {
  const clock = new FixedClock();
  const sealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());
  const links = new JobLinks(sealer, clock, parseSettings({}));
  const { searchParams } = new URL(links.make('job_1').url);
  const query = { expires: Number(searchParams.get('expires')), signature: searchParams.get('signature') ?? '' };
  clock.advance(3_600_000);
  expect(links.check('job_1', query)).toBe('valid');
  clock.advance(1);
  expect(links.check('job_1', query)).toBe('expired');
  expect(links.check('job_1', { ...query, expires: query.expires + 1 })).toBe('forged');
});
