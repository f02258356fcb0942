// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { MaintenanceRun } from '#upkeep/maintenance.contract';
import { shown } from '../../../test/shown.js';
import { projectionWords as words } from './projection-words.js';
import { RunProgress } from './run-progress.js';

const PAST = '2020-12-03T10:00:00.000Z';
const REQUESTED: MaintenanceRun = {
  id: 'mnt_1',
  kind: 'verify',
  projection: null,
  state: 'requested',
  requested_by: 'operator:ada',
  requested_by_name: 'Ada',
  requested_at: PAST,
  started_at: null,
  finished_at: null,
  cancelling: false,
  step: null,
  done: 0,
  total: 0,
  seconds_left: null,
  rebuilt: null,
  checked: null,
  found: null,
  findings: null,
  error: null,
};

it('says that no worker has taken a verification, but not of one that was interrupted', () => {
  shown(<RunProgress run={REQUESTED} mayAct />);
  expect(screen.getByRole('status').textContent).toBe(words.waiting);
  expect(screen.queryByText(words.waitsForWorker)).not.toBeNull();
  shown(<RunProgress run={{ ...REQUESTED, started_at: PAST, done: 42, total: 100 }} mayAct />);
  expect(screen.getByRole('status').textContent).toBe(words.interrupted);
  expect(screen.queryByText(words.waitsForWorker)).toBeNull();
});
