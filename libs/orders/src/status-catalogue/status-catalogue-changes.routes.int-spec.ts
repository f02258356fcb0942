import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StatusCataloguePreview, StatusCatalogueSource, StatusCatalogueView } from '../status-catalogue.contract.js';
import { builtInCatalogueFile } from '../status-catalogue-file.js';
import { StatusCatalogues } from '../status-catalogues.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { until } from '../../../../test/support/until.js';

type Draft = Pick<StatusCatalogueSource, 'statuses' | 'transitions' | 'roles'>;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(() => api.close());
afterEach(async () => {
  await api.pool.query('delete from status_catalogues');
  await api.app.get(StatusCatalogues).refresh();
});

const source = async () => StatusCatalogueSource.parse((await api.staff.get('status-catalogue/source')).body);
const used = async (by: TestApi = api) => StatusCatalogueView.parse((await by.staff.get('status-catalogue')).body);

/** A draft of the catalogue in use, with some changes. */
async function draft(change: (draft: Draft) => void = () => undefined): Promise<Draft> {
  const { statuses, transitions, roles } = await source();
  const changed = { statuses, transitions, roles };
  change(changed);
  return changed;
}
const save = (body: object, headers: Record<string, string> = {}) =>
  api.staff.send('PUT', 'status-catalogue', body, headers);
const statusOf = ({ statuses }: Draft, code: number) =>
  statuses.find(({ status_code: known }) => known === code) ?? expect.fail('no such status');

describe('a saved catalogue', () => {
  it('is the next version, which every process uses and the audit log describes', async () => {
    const other = await startTestApi({}, { url: api.databaseUrl, drop: async () => undefined });
    const { send, id } = await signIn(api, ['administrator']);
    const body = await draft((changed) => {
      statusOf(changed, 4001).status_message = 'Turned away at the door';
      changed.statuses.push({ status_code: 4100, status: 'exception', status_message: 'Lost in the post' });
      changed.transitions.exception = ['confirmed', 'exception'];
    });
    const answer = await send('PUT', 'status-catalogue', body);
    expect(StatusCatalogueView.parse(answer.body)).toMatchObject({ version: 2, source: 'saved' });
    const { statuses, transitions } = await used();
    expect(statuses.find(({ status_code: code }) => code === 4100)).toMatchObject({ event: 'OrderExceptionRaised' });
    expect(transitions.exception).toEqual(['confirmed', 'exception']);
    await until(async () => (await used(other)).version === 2);
    await other.close();

    expect((await source()).versions).toMatchObject([
      { version: 2, saved_by: `operator:${id}`, saved_by_name: expect.any(String) as string },
    ]);
    const { body: audit } = await api.staff.get('audit?action=status_catalogue.changed');
    expect(audit).toMatchObject({
      entries: [
        {
          actor: `operator:${id}`,
          detail: {
            version: 2,
            changes: [
              { path: '/statuses/4001/status_message', after: 'Turned away at the door' },
              { path: '/statuses/4100', before: null },
              { path: '/transitions/exception/1' },
              { path: '/transitions/exception/2' },
            ],
          },
        },
      ],
    });
    const order = await api.payment.bought(cardBody());
    const changed = await api.staff.send('POST', `orders/${order}/status`, { status_code: 4100 });
    expect(changed.body).toMatchObject({ status: { status_message: 'Lost in the post' } });
  });

  it('that was made from an older version is refused', async () => {
    const body = await draft((changed) => (statusOf(changed, 4001).status_message = 'One'));
    const answers = await Promise.all([save(body, { 'if-match': '"1"' }), save(body, { 'if-match': '"1"' })]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect(codesOf(await save(body, { 'if-match': '"1"' }))).toEqual([41201]);
    expect((await save(body, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('can be checked first, which changes nothing', async () => {
    const body = await draft((changed) => (statusOf(changed, 3001).label = 'Fraud'));
    const answer = await save({ ...body, dry_run: true });
    expect(StatusCataloguePreview.parse(answer.body)).toEqual({
      dry_run: true,
      version: 1,
      changes: [{ path: '/statuses/3001/label', before: null, after: 'Fraud' }],
    });
    expect(await used()).toMatchObject({ version: 1, source: 'built_in' });
    expect((await source()).versions).toEqual([]);
  });
});

describe('every fault is named at its field:', () => {
  it.each<[string, (draft: Draft) => void, string]>([
    [
      'a code twice',
      ({ statuses }) => (statuses[1]!.status_code = 1001),
      'statuses.1.status_code: the code is there twice',
    ],
    [
      'a message twice',
      ({ statuses }) => (statuses[1]!.status_message = 'Pending confirmation'),
      'statuses.1.status_message: another code',
    ],
    [
      'no message',
      ({ statuses }) => (statuses[2]!.status_message = ''),
      'statuses.2.status_message: must not be empty',
    ],
    [
      'a code that is none',
      ({ statuses }) => (statuses[2]!.status_code = -1),
      'statuses.2.status_code: must be a whole number',
    ],
    [
      'a foreign event',
      ({ statuses }) => (statuses[0]!.event = 'TicketsShipped'),
      'statuses.0.event: event must be one of',
    ],
    [
      'a role without its status',
      ({ roles }) => (roles.shipped = 3001),
      'roles.shipped: shipped must be the code of a status that is confirmed',
    ],
    ['a fifth status', ({ transitions }) => transitions.pending.push('lost' as never), 'transitions.pending.4: '],
  ])('%s', async (_, change, message) => {
    const answer = await save(await draft(change));
    expect([codesOf(answer), messagesOf(answer).join()]).toEqual([[40001], expect.stringContaining(message)]);
    expect((await used()).version).toBe(1);
  });

  it('several at once', async () => {
    const body = await draft(({ statuses, roles }) => {
      statuses[1]!.status_code = 1001;
      statuses[2]!.status_message = ' ';
      roles.confirmed = 4001;
    });
    const message = messagesOf(await save(body)).join();
    const fields = [
      'statuses.1.status_code: ',
      'statuses.2.status_message: ',
      'roles.confirmed: ',
      'roles.manual_review: ',
    ];
    expect(fields.filter((field) => !message.includes(field))).toEqual([]);
  });

  it('a code that orders have cannot go, nor become another status', async () => {
    const purchase = cardBody();
    purchase.ref_id = 'another purchase';
    const order = await api.payment.bought(purchase);
    await api.staff.send('POST', `orders/${order}/status`, { status_code: 2001 });
    const without = await draft((changed) => {
      changed.statuses = changed.statuses.filter(({ status_code: code }) => code !== 2001 && code !== 3009);
    });
    expect(messagesOf(await save(without)).join()).toContain(
      'statuses: 2001 cannot be removed, because orders have it',
    );
    const moved = await draft((changed) => (statusOf(changed, 2001).status = 'exception'));
    expect(messagesOf(await save(moved)).join()).toMatch(/statuses\.3\.status: cannot change, because orders have/);
    const free = await draft((changed) => {
      changed.statuses = changed.statuses.filter(({ status_code: code }) => code !== 3009);
    });
    expect((await save(free)).status).toBe(200);
    expect((await used()).statuses.map(({ status_code: code }) => code)).not.toContain(3009);
  });
});

it('cannot be saved while a file decides, whatever was saved before', async () => {
  await save(await draft((changed) => (statusOf(changed, 4001).status_message = 'Saved')));
  const file = join(temporaryFolder('statuses'), 'statuses.json');
  writeFileSync(file, JSON.stringify({ ...builtInCatalogueFile(), version: 9 }));
  const other = await startTestApi(
    { STATUS_CATALOGUE_FILE: file },
    { url: api.databaseUrl, drop: async () => undefined },
  );
  expect(await used(other)).toMatchObject({ version: 9, source: 'file' });
  expect((await other.staff.get('status-catalogue/source')).body).toMatchObject({ editable: false });
  const answer = await other.staff.send('PUT', 'status-catalogue', await draft());
  expect([codesOf(answer), messagesOf(answer).join()]).toEqual([
    [40902],
    expect.stringContaining('the file of STATUS_CATALOGUE_FILE decides'),
  ]);
  await other.close();
});
