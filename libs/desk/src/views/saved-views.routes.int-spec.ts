import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedView, SavedViewList } from '../saved-view.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
let viewer: SignedIn;

const where = { and: [{ field: 'total', op: '>', value: 500.5 }] };

beforeAll(async () => {
  api = await startTestApi();
  ann = await signIn(api, ['support']);
  bob = await signIn(api, ['support']);
  viewer = await signIn(api, ['viewer']);
});
afterAll(() => api.close());

async function saved(by: SignedIn, body: object): Promise<SavedView> {
  const answer = await by.send('POST', 'views', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as SavedView;
}

async function seenBy(who: SignedIn): Promise<string[]> {
  return ((await who.get('views')).body as SavedViewList).views.map(({ name }) => name);
}

describe('a saved view', () => {
  it('is stored as sent, and is private until its owner shares it', async () => {
    const query = 'total=gt:500.5&placed_at=gte:-7d';
    const sent = { name: 'Large', where, q: 'ref-1', sort: 'total.desc', columns: ['id', 'total'], query };
    const view = await saved(ann, sent);
    expect(view).toEqual({
      id: view.id,
      name: 'Large',
      where,
      q: 'ref-1',
      sort: 'total.desc',
      query,
      columns: ['id', 'total'],
      shared: false,
      owner: `operator:${ann.id}`,
    });
    expect(await seenBy(ann)).toEqual(['Large']);
    expect(await seenBy(bob)).toEqual([]);
    expect((await bob.send('PUT', `views/${view.id}`, { name: 'Mine' })).status).toBe(404);
    expect((await bob.send('DELETE', `views/${view.id}`)).status).toBe(404);
    const changed = await ann.send('PUT', `views/${view.id}`, { name: 'Large', where, shared: true });
    expect(changed.body).toEqual({ ...view, q: null, sort: 'placed_at.desc', query: null, columns: [], shared: true });
    expect(await seenBy(bob)).toEqual(['Large']);
    expect(codesOf(await bob.send('PUT', `views/${view.id}`, { name: 'Mine' }))).toEqual([40300]);
    expect((await ann.send('DELETE', `views/${view.id}`)).status).toBe(204);
    expect(await seenBy(bob)).toEqual([]);
    const { body } = await api.staff.get(`audit?subject=view:${view.id}`);
    const actions = (body as { entries: { action: string }[] }).entries.map(({ action }) => action);
    expect(actions).toEqual(['view.removed', 'view.changed', 'view.created']);
  });

  it('that names a buyer is sealed, and only for people who may search for buyers', async () => {
    const buyer = { field: 'email', op: '=', value: 'ada@example.com' };
    const view = await saved(ann, { name: 'Ada', where: buyer, shared: true });
    expect(await seenBy(bob)).toContain('Ada');
    expect(await seenBy(viewer)).not.toContain('Ada');
    expect(codesOf(await viewer.send('POST', 'views', { name: 'Ada', where: buyer }))).toEqual([40300]);
    const { rows } = await api.pool.query<{ text: string }>('select saved_views::text as text from saved_views');
    expect(rows).not.toEqual([]);
    const stored = rows.map(({ text }) => Buffer.from(text.replace(/^.*\\x([0-9a-f]+).*$/, '$1'), 'hex').toString());
    expect(stored.join()).not.toContain('ada@example.com');
    // The administrator removes the shared view of somebody who has left.
    expect((await api.staff.send('DELETE', `views/${view.id}`)).status).toBe(204);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x', where: { and: [{ field: 'colour' }] } }, 'where.and[0].field'],
    [{ name: 'x', sort: 'colour' }, 'sort'],
    [{ name: 'x', q: 'a' }, 'q'],
    [{ name: 'x', columns: 'id' }, 'columns'],
    [{ name: 'x', owner: 'operator:1' }, 'owner'],
  ])('that is %j is refused by the name of %s', async (body, field) => {
    const answer = await ann.send('POST', 'views', body);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(field);
  });
});
