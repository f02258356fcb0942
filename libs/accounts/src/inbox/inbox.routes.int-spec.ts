import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { decodedMail } from '../../../../test/support/decoded-mail.js';
import { type MailApi, startMailApi } from '../../../../test/support/mail-api.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { InboxPage } from '../inbox.contract.js';
import { InboxMails } from './inbox-mails.js';
import { OwnInbox } from './own-inbox.js';

let stand: MailApi;
let mails: InboxMails;
let orderId: string;
let ada: SignedIn;
let grace: SignedIn;
let broker: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  stand = await startMailApi();
  const { api } = stand;
  mails = api.app.get(InboxMails);
  await api.staff.putListing('lst-1', { quantity: 100, seller: 'Front Row' });
  orderId = await api.payment.bought(cardBody());
  ada = await signIn(api, ['support']);
  grace = await signIn(api, ['support']);
  broker = await signIn(api, ['broker'], ['Front Row']);
  stranger = await signIn(api, ['broker'], ['Back Row']);
});
afterAll(() => stand.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await stand.api.pool.query('delete from inbox_notices');
  stand.smtp.forget();
});

const list = async (who: SignedIn) => (await who.get('inbox')).body as InboxPage;
const note = (who: SignedIn, mentions: readonly string[], more: object = {}) =>
  who.send('POST', `orders/${orderId}/notes`, { text: 'Can you call her?', mentions, ...more });
const assign = (who: SignedIn, to: string | null, id = orderId) =>
  who.send('PUT', `orders/${id}/assignee`, { operator_id: to });
const sent = async () => {
  while (await mails.step());
  return stand.smtp.accepted.map(decodedMail);
};

describe('a mention', () => {
  it('gives the mentioned a notice, and not the author', async () => {
    const answer = await note(ada, [grace.id, ada.id, grace.id]);
    expect(answer.status, answer.text).toBe(201);
    const mentions = [grace, ada].map(({ id, name }) => ({ operator_id: id, name }));
    expect(answer.body).toMatchObject({ mentions });
    expect((await ada.get(`orders/${orderId}/notes`)).body).toMatchObject({ notes: [{ mentions }] });
    const { notices, unread } = await list(grace);
    expect(unread).toBe(1);
    expect(notices).toEqual([
      {
        id: expect.any(String),
        kind: 'mention',
        order_id: orderId,
        orders: 1,
        actor: `operator:${ada.id}`,
        actor_name: ada.name,
        at: (answer.body as { at: string }).at,
        read_at: null,
      },
    ]);
    expect(await list(ada)).toEqual({ notices: [], unread: 0, next_cursor: null });
  });

  it.each([
    ['somebody unknown', () => 'opr_unknown', 'partner', 'must be an active operator'],
    ['a broker of another seller', () => stranger.id, 'partner', 'must be an active operator'],
    ['a broker, in an internal note', () => broker.id, 'internal', 'reads no internal notes'],
  ])('of %s is refused by its place', async (_who, id, visibility, why) => {
    const before = (await stand.api.pool.query('select from order_notes')).rowCount;
    const answer = await note(ada, [grace.id, id()], { visibility });
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(`mentions[1]: ${why}`);
    expect([await list(grace), (await stand.api.pool.query('select from order_notes')).rowCount]).toMatchObject([
      { unread: 0 },
      before,
    ]);
  });

  it('reaches brokers in notes for partners; they mention only each other', async () => {
    expect((await note(ada, [broker.id], { visibility: 'partner' })).status).toBe(201);
    expect(await list(broker)).toMatchObject({ unread: 1, notices: [{ order_id: orderId }] });
    const colleague = await signIn(stand.api, ['broker'], ['Front Row', 'Back Row']);
    expect((await note(broker, [colleague.id])).status).toBe(201);
    expect(codesOf(await note(broker, [ada.id]))).toEqual([40001]);
    const { body } = await broker.get(`orders/${orderId}/people`);
    const ids = (body as { people: { operator_id: string }[] }).people.map(({ operator_id: id }) => id);
    expect(ids.toSorted()).toEqual([broker.id, colleague.id].toSorted());
  });

  it('offers those who may see the order', async () => {
    const { body } = await ada.get(`orders/${orderId}/people`);
    expect(body).toMatchObject({
      people: expect.arrayContaining([
        { operator_id: grace.id, name: grace.name, is_broker: false },
        { operator_id: broker.id, name: broker.name, is_broker: true },
      ]),
    });
    expect(JSON.stringify(body)).not.toContain(stranger.id);
  });
});

describe('an assignment', () => {
  it('gives the new assignee a notice, once, and nobody one for what they took themselves', async () => {
    await assign(ada, grace.id);
    await assign(ada, grace.id);
    expect(await list(grace)).toMatchObject({ unread: 1, notices: [{ kind: 'assigned', order_id: orderId }] });
    await assign(ada, ada.id);
    await assign(ada, null);
    expect((await list(ada)).notices).toEqual([]);
  });
});

describe('notices', () => {
  it('are read one by one or all, page by page', async () => {
    for (let count = 0; count < 3; count += 1) await note(ada, [grace.id]);
    const first = (await grace.get('inbox?limit=2')).body as InboxPage;
    const rest = (await grace.get(`inbox?limit=2&cursor=${first.next_cursor}`)).body as InboxPage;
    expect([first.notices.length, rest.notices.length, rest.next_cursor]).toEqual([2, 1, null]);
    const ids = first.notices.map(({ id }) => id);
    expect((await ada.send('POST', 'inbox/read', { ids })).body).toEqual({ unread: 0 });
    expect((await grace.send('POST', 'inbox/read', { ids: ids.slice(0, 1) })).body).toEqual({ unread: 2 });
    expect((await list(grace)).notices.map(({ read_at: at }) => at !== null)).toEqual([true, false, false]);
    expect((await grace.send('POST', 'inbox/read', {})).body).toEqual({ unread: 0 });
  });

  it('of an order that a broker no longer sees are hidden', async () => {
    await note(ada, [broker.id], { visibility: 'partner' });
    await stand.api.staff.send('PATCH', `operators/${broker.id}`, { sellers: ['Back Row'] });
    expect(await list(broker)).toMatchObject({ notices: [], unread: 0 });
    expect(await sent()).toEqual([]);
    await stand.api.staff.send('PATCH', `operators/${broker.id}`, { sellers: ['Front Row'] });
    expect((await list(broker)).unread).toBe(1);
  });

  it('are deleted after 90 days, and with the operator', async () => {
    const gone = await signIn(stand.api, ['support']);
    await note(ada, [grace.id, gone.id]);
    await stand.api.staff.send('DELETE', `operators/${gone.id}`);
    const stored = async () => (await stand.api.pool.query('select operator_id from inbox_notices')).rows;
    expect(await stored()).toEqual([{ operator_id: grace.id }]);
    const clock = stand.api.app.get(DatabaseClock);
    const now = clock.now();
    const at = vi.spyOn(clock, 'now').mockReturnValue(now + 89 * 86_400_000);
    await stand.api.app.get(OwnInbox).prune();
    expect(await stored()).toHaveLength(1);
    at.mockReturnValue(now + 91 * 86_400_000);
    await stand.api.app.get(OwnInbox).prune();
    expect(await stored()).toEqual([]);
  });

  it('are for people: a program has none', async () => {
    expect((await stand.api.staff.get('inbox')).body).toEqual({ notices: [], unread: 0, next_cursor: null });
    expect(codesOf(await stand.api.staff.send('PUT', 'inbox/settings', { email: true }))).toEqual([40300]);
  });
});

describe('the e-mail', () => {
  it('says who and where, and nothing of what was written; several notices are one', async () => {
    await note(ada, [grace.id]);
    await assign(ada, grace.id);
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('2 notices in Willcall');
    expect(mail?.text).toContain(`${ada.name} mentioned you on order ${orderId}`);
    expect(mail?.text).toContain(`${PUBLIC_URL}/orders/${orderId}`);
    expect(mail?.text).toContain(`${ada.name} assigned order ${orderId} to you`);
    expect(mail?.text).not.toContain('call her');
    expect(await mails.step()).toBe(false);
    await assign(ada, null);
  });

  it('does not come for what was read, nor to somebody who wants none', async () => {
    await note(ada, [grace.id]);
    await grace.send('POST', 'inbox/read', {});
    expect((await grace.get('inbox/settings')).body).toEqual({ email: true });
    await note(ada, [grace.id]);
    expect((await grace.send('PUT', 'inbox/settings', { email: false })).body).toEqual({ email: false });
    await note(ada, [grace.id]);
    expect(await sent()).toEqual([]);
    expect((await list(grace)).unread).toBe(2);
    await grace.send('PUT', 'inbox/settings', { email: true });
    await note(ada, [grace.id]);
    expect((await sent()).map(({ subject }) => subject)).toEqual([`${ada.name} mentioned you on order ${orderId}`]);
  });
});
