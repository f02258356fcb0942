// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Permission } from '#accounts/permission.contract';
import { shown } from '../../test/shown.js';
import { DisputeEvidence } from './dispute-evidence.js';
import { disputeWords } from './dispute-words.js';

const { pack, clear, renew } = disputeWords.evidence;
const PATH = '/backoffice/v1/disputes/dp_1/pack';

describe('the evidence pack', () => {
  it.each<readonly [readonly Permission[], readonly (readonly [string, string])[]]>([
    [['money:read'], [[pack, PATH]]],
    [
      ['orders:reveal'],
      [
        [pack, PATH],
        [clear, `${PATH}?clear=true`],
      ],
    ],
    [
      ['money:act'],
      [
        [pack, PATH],
        [renew, `${PATH}?renew=true`],
      ],
    ],
  ])('has for %j the links %j', (permissions, links) => {
    shown(<DisputeEvidence id="dp_1" />, permissions);
    const found = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(found).toEqual(links);
  });
});
