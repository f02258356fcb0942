import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { RoleTable } from '#accounts/permission.contract';
import { StatusCatalogueView } from '../status-catalogue.contract.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('shows the statuses in use, when Willcall sets them, and which may follow which', async () => {
  const answer = await api.staff.get('status-catalogue');
  const { statuses, transitions } = StatusCatalogueView.parse(answer.body);
  expect(statuses).toHaveLength(25);
  expect(statuses.find(({ status_code: code }) => code === 3005)).toEqual({
    status_code: 3005,
    status: 'rejected',
    status_message: 'Tickets not available - broker did not respond',
    label: null,
    event: 'OrderRejected',
    roles: ['broker_did_not_respond'],
  });
  expect(transitions.exception).toEqual(['confirmed', 'rejected', 'exception']);
  expect(transitions.rejected).toEqual([]);
});

it('shows what each role may do', async () => {
  const { roles } = RoleTable.parse((await api.staff.get('roles')).body);
  const may = Object.fromEntries(roles.map(({ name, permissions }) => [name, permissions]));
  expect(may['viewer']).toEqual(['orders:read', 'listings:read', 'delivery:read', 'money:read']);
  expect(may['administrator']).toContain('admin');
});
