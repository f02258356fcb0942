// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Job } from '#desk/job.contract';
import { shown } from '../../test/shown.js';
import { refundWords } from '../order/refund-words.js';
import { denials } from '../words/answers.js';
import { JobTable } from './job-table.js';
import { jobWords } from './job-words.js';

const JOB: Job = {
  id: 'job_1',
  kind: 'deny',
  state: 'running',
  total: 4,
  done: 1,
  failed: 0,
  arguments: { reason: 'denied' },
  selection: { ids: 4 },
  requested_by: 'operator:opr_2',
  requested_by_name: 'Grace',
  requested_at: '2026-11-26T10:00:00.000Z',
  approved_by: null,
  approved_by_name: null,
  can_approve: false,
  why_not: null,
  finished_at: null,
  seconds_left: null,
  can_undo: false,
  undoes: null,
  error: null,
  reason: null,
  choices: null,
  file: null,
};

const buttonsOf = (job: Partial<Job>) => {
  shown(<JobTable label="Jobs" jobs={[{ ...JOB, ...job }]} />, ['runs:act']);
  return screen.queryAllByRole('button').map((button) => button.textContent);
};

describe('the table of jobs', () => {
  it.each<readonly [Partial<Job>, readonly string[]]>([
    [{}, ['Pause', 'Cancel']],
    [{ state: 'paused' }, ['Resume', 'Cancel']],
    [{ state: 'done' }, []],
    [{ state: 'done', can_undo: true }, ['Undo']],
    [{ state: 'waiting_for_approval', can_approve: true }, ['Approve', 'Decline']],
    [{ state: 'waiting_for_approval', requested_by: 'operator:opr_1' }, ['Cancel']],
  ])('offers for %j: %j', (job, buttons) => {
    expect(buttonsOf(job)).toEqual(buttons);
  });

  it('offers nothing to those who may not change many orders', () => {
    shown(<JobTable label="Jobs" jobs={[JOB]} />);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('says why a job has paused by itself', () => {
    shown(<JobTable label="Jobs" jobs={[{ ...JOB, kind: 'refund', state: 'paused', reason: 'insufficient_funds' }]} />);
    screen.getByText(jobWords.reason.insufficient_funds);
  });

  it.each([
    ['deny', { reason: 'fraud' }, denials.fraud.name],
    ['refund', { reason: 'price_error', quantity: 2 }, refundWords.reason.price_error],
    ['refund', { reason: 'other', amount: 12.5 }, jobWords.content.amountEach('12.50')],
    ['postpone_event', { choice_within_hours: 48 }, jobWords.content.chooseWithin(48)],
    ['postpone_event', { choice_until: '2026-12-05T18:00:00.000Z' }, 'buyers choose until'],
  ] as const)('says what a job of kind %s is for: %j', (kind, given, text) => {
    shown(<JobTable label="Jobs" jobs={[{ ...JOB, kind, arguments: given }]} />);
    screen.getByText(text, { exact: false });
  });

  it('links to the results of a job, and says how far it is', () => {
    shown(<JobTable label="Jobs" jobs={[JOB]} />);
    const row = within(screen.getByRole('table', { name: 'Jobs' }));
    expect(row.getByRole('link').getAttribute('href')).toBe('/jobs?job=job_1');
    expect(row.getByRole('progressbar').getAttribute('value')).toBe('1');
  });
});
