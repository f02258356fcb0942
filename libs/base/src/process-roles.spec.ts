import { expect, it } from 'vitest';
import { parseSettings } from './load-settings.js';
import { SURFACES, TASK_GROUPS } from './process-roles.js';

it('an unknown surface or group of tasks is refused with the list of those that exist', () => {
  const surfaces = `SURFACES: must be a comma-separated list of different surfaces: ${SURFACES.join(', ')}`;
  expect(() => parseSettings({ SURFACES: 'checkout,shop' })).toThrow(surfaces);
  const groups = `TASKS: must be a comma-separated list of different groups of tasks: ${TASK_GROUPS.join(', ')}`;
  expect(() => parseSettings({ TASKS: 'pings,ledgers' })).toThrow(groups);
});

it('the words may come in any order and with blanks', () => {
  expect(parseSettings({ TASKS: 'pings, feed' }).TASKS).toEqual(['feed', 'pings']);
});
