import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MaintenanceRun, MaintenanceRunList, ProjectionList } from '../maintenance.contract.js';
import { createPool } from '#database/pool';
import { MaintenanceRunner } from '../maintenance-runner.js';
import { rebuildWork } from '../rebuilds.js';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';

const REBUILD = { kind: 'rebuild', projection: 'orders' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
afterEach(() => api.pool.query('delete from maintenance_runs'));

const request = (body: object) => api.staff.send('POST', 'maintenance-runs', body);
const asked = async (body: object) => MaintenanceRun.parse((await request(body)).body);
const read = async (id: string) => MaintenanceRun.parse((await api.staff.get(`maintenance-runs/${id}`)).body);

describe('a rebuild', () => {
  it('waits for a process with the rights of the owner, and shows its result', async () => {
    const { send, id } = await signIn(api, ['administrator']);
    const run = MaintenanceRun.parse((await send('POST', 'maintenance-runs', REBUILD)).body);
    expect(run).toMatchObject({
      ...REBUILD,
      state: 'requested',
      requested_by: `operator:${id}`,
      requested_by_name: expect.any(String) as string,
      started_at: null,
      seconds_left: null,
      cancelling: false,
    });
    const options = { databaseUrl: api.databaseUrl, applicationName: 'test', asOwner: true, onError: () => undefined };
    const owner = createPool({ ...options, max: 3 });
    const runner = new MaintenanceRunner(owner, new TimeOrderedIds());
    await runner.runRequested('rebuild', rebuildWork({ pool: owner }, new SystemClock()));
    await owner.end();
    expect(await read(run.id)).toMatchObject({ state: 'done', rebuilt: [{ projection: 'orders', rows: 0 }] });
    const { projections } = ProjectionList.parse((await api.staff.get('projections')).body);
    expect(projections.find(({ name }) => name === 'orders')?.rebuilt_at).not.toBeNull();
    const { body } = await api.staff.get('audit?action=maintenance.requested');
    expect(body).toMatchObject({ entries: [{ subject: `maintenance:${run.id}`, detail: REBUILD }] });
  });

  it('is refused while another run waits', async () => {
    await asked(REBUILD);
    const answer = await request({ kind: 'verify' });
    expect([answer.status, codesOf(answer)]).toEqual([409, [40902]]);
    expect(messagesOf(answer).join()).toContain('another rebuild or verification waits or is running');
  });

  it('is cancelled, which the audit log says', async () => {
    const { id } = await asked({ kind: 'verify' });
    const cancelled = await api.staff.send('POST', `maintenance-runs/${id}/cancel`);
    expect(cancelled.body).toMatchObject({ id, state: 'cancelled' });
    const { body } = await api.staff.get('audit?action=maintenance.cancelled');
    expect(body).toMatchObject({ entries: [{ subject: `maintenance:${id}` }] });
    const again = await api.staff.send('POST', `maintenance-runs/${id}/cancel`);
    expect([again.status, codesOf(again)]).toEqual([409, [40902]]);
    const unknown = await api.staff.send('POST', 'maintenance-runs/run_none/cancel');
    expect(codesOf(unknown)).toEqual([40400]);
    expect(codesOf(await api.staff.get('maintenance-runs/run_none'))).toEqual([40400]);
  });

  it.each([
    [{ kind: 'rebuild' }, 'projection'],
    [{ kind: 'verify', projection: 'orders' }, 'projection'],
    [{ kind: 'rebuild', projection: 'pings' }, 'projection'],
    [{ kind: 'repair' }, 'kind'],
  ])('has to say what: %j is refused', async (body, field) => {
    const answer = await request(body);
    expect([codesOf(answer), messagesOf(answer).join()]).toEqual([[40001], expect.stringContaining(`${field}: `)]);
  });
});

it('lists the runs, newest first, page by page and by kind', async () => {
  const ids: string[] = [];
  for (const body of [REBUILD, { kind: 'verify' }, REBUILD]) {
    const { id } = await asked(body);
    ids.unshift(id);
    await api.staff.send('POST', `maintenance-runs/${id}/cancel`);
  }
  const page = async (query: string) =>
    MaintenanceRunList.parse((await api.staff.get(`maintenance-runs?${query}`)).body);
  const first = await page('limit=2');
  const second = await page(`limit=2&cursor=${first.next_cursor}`);
  expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
  expect((await page('kind=verify')).runs).toMatchObject([{ id: ids[1] }]);
  expect(codesOf(await api.staff.get('maintenance-runs?cursor=x'))).toEqual([40001]);
});
