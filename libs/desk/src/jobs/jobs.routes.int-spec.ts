import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { Job } from '../job.contract.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn, type SignedIn } from '../../../../test/support/operators.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';

const APPROVAL_FROM = 60;

let stand: JobStand;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  stand = await JobStand.start({ APPROVAL_FROM_ORDERS: String(APPROVAL_FROM) });
  ada = await signIn(stand.api, ['operations']);
  grace = await signIn(stand.api, ['operations']);
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());

describe('a job', () => {
  it('says what it would do, and then does it', async () => {
    const waiting = await stand.bought(2, 'ask');
    const [confirmed = ''] = await stand.bought(1);
    const body = {
      kind: 'deny',
      ids: [...waiting, confirmed, 'ord_unknown', waiting[0]],
      arguments: { reason: 'not_available', note: 'Sold at the door.' },
    };
    expect(await stand.preview(body)).toEqual({
      total: 4,
      allowed: 2,
      unchanged: 0,
      refused: 2,
      effects: { ping: 2, refund: 0, restock: 2, note: 0, choice: 0 },
      amount_returned: 0,
      tickets_returned: 4,
      needs_approval: false,
      sample: [
        { order_id: confirmed, outcome: 'refused', reason: 'The order does not wait for an answer.' },
        { order_id: 'ord_unknown', outcome: 'refused', reason: 'There is no such order.' },
        ...waiting.map((id) => ({ order_id: id, outcome: 'done' })),
      ],
    });
    expect(await stand.codeOf(waiting[0] ?? '')).toBe(1001);
    const begun = await stand.begin(body);
    expect(begun).toMatchObject({ state: 'running', total: 4, done: 0, failed: 0, selection: { ids: 5 } });
    expect(begun.arguments).toEqual({ reason: 'not_available' });
    await stand.runner().step();
    expect(await stand.job(begun.id)).toMatchObject({ state: 'done', total: 4, done: 2, failed: 2 });
    expect((await stand.results(begun.id)).map(({ outcome }) => outcome)).toEqual([
      'done',
      'done',
      'refused',
      'refused',
    ]);
    expect((await stand.results(begun.id, 'outcome=refused&limit=1'))[0]).toMatchObject({ order_id: confirmed });
    for (const id of waiting) {
      const { status_history: history } = await stand.order(id);
      expect(history.at(-1)).toMatchObject({ status_code: 3003, note: 'Sold at the door.', actor: 'token:backoffice' });
    }
    const { rows } = await stand.api.pool.query<{ note: Buffer | null }>('select note from jobs where id = $1', [
      begun.id,
    ]);
    expect(rows[0]?.note).toBeNull();
    const { entries } = (await stand.api.staff.get(`audit?subject=job:${begun.id}`)).body as AuditPage;
    expect(entries).toMatchObject([{ action: 'job.started', detail: { kind: 'deny', total: 4 } }]);
  });

  it('makes a ping due for each change, and gives payments back', async () => {
    const id = await stand.paid();
    const body = { kind: 'change_status', ids: [id], arguments: { status_code: 3010 } };
    expect(await stand.preview(body)).toMatchObject({
      effects: { ping: 1, refund: 1, restock: 1 },
      amount_returned: 254.6,
    });
    await stand.run(body);
    const { rows } = await stand.api.pool.query('select status_code from pings where order_id = $1 order by sequence', [
      id,
    ]);
    expect(rows).toEqual([{ status_code: 2000 }, { status_code: 3010 }]);
    const due = await stand.api.pool.query('select payment_step from orders where id = $1', [id]);
    expect(due.rows).toEqual([{ payment_step: 'void' }]);
  });

  it('chooses the orders of a condition or a show when it begins', async () => {
    const ids = await stand.bought(3, 'ask');
    const where = {
      and: [
        { field: 'queue', op: '=', value: 'to_confirm' },
        { field: 'event_id', op: '=', value: stand.show },
      ],
    };
    const { id } = await stand.begin({ kind: 'accept', where });
    const later = await stand.bought(1, 'ask');
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'done', total: 3, done: 3, selection: { where } });
    expect(await Promise.all([...ids, ...later].map((id) => stand.codeOf(id)))).toEqual([2000, 2000, 2000, 1001]);
    expect(await stand.run({ kind: 'accept', event_id: stand.show })).toMatchObject({ total: 4, done: 4, failed: 0 });
    expect((await stand.results(id)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  });

  it('without any order is done at once', async () => {
    expect(await stand.begin({ kind: 'accept', event_id: 'nothing' })).toMatchObject({ state: 'done', total: 0 });
  });

  it('tags and assigns, and counts what was so before as unchanged', async () => {
    const ids = await stand.bought(3);
    await stand.api.staff.send('PUT', `orders/${ids[0]}/tags`, ['vip', 'old']);
    await stand.run({ kind: 'tag', ids, arguments: { add: ['vip'], remove: ['old'] } });
    const tagged = await stand.run({ kind: 'tag', ids: [...ids, 'ord_unknown'], arguments: { add: ['vip'] } });
    expect(tagged).toMatchObject({ done: 3, failed: 1 });
    expect((await stand.results(tagged.id)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'refused',
    ]);
    expect(await stand.run({ kind: 'assign', ids, arguments: { operator_id: ada.id } })).toMatchObject({ done: 3 });
    for (const id of ids) expect(await stand.order(id)).toMatchObject({ tags: ['vip'], assignee: ada.id });
    // One notice, however many batches the job takes, and none for what stays as it is.
    await stand.run({ kind: 'assign', ids, arguments: { operator_id: ada.id } });
    const notice = { kind: 'assigned', orders: 3, order_id: ids[0], actor: 'token:backoffice' };
    expect((await ada.get('inbox')).body).toMatchObject({ unread: 1, notices: [notice] });
    await stand.run({ kind: 'assign', ids, arguments: { operator_id: null } });
    expect(await stand.order(ids[0] ?? '')).toMatchObject({ assignee: null });
  });

  it.each([
    [{ kind: 'accept' }, 'give exactly one of where, ids, event_id'],
    [{ kind: 'accept', ids: ['a'], event_id: 'b' }, 'give exactly one'],
    [{ kind: 'explode', ids: ['a'] }, 'kind'],
    [{ kind: 'change_status', ids: ['a'] }, 'arguments.status_code'],
    [{ kind: 'deny', ids: ['a'], arguments: { reason: 'no' } }, 'arguments.reason'],
    [{ kind: 'tag', ids: ['a'] }, 'give tags to add or to remove'],
    [{ kind: 'assign', ids: ['a'], arguments: { operator_id: 'opr_1' } }, 'arguments.operator_id'],
    [{ kind: 'cancel_event', ids: ['a'] }, 'event_id'],
    [{ kind: 'accept', where: { field: 'queue', op: '<', value: 'x' } }, 'where.op'],
    [{ kind: 'accept', ids: [] }, 'ids'],
    [
      { kind: 'postpone_event', event_id: 'a', arguments: { datetime_local: '2028-02-30' } },
      'arguments.datetime_local',
    ],
  ])('%j is a bad request', async (body, message) => {
    const answer = await stand.api.staff.send('POST', 'jobs', { arguments: {}, ...body });
    expect(codesOf(answer)).toContain(40001);
    expect(messagesOf(answer).join()).toContain(message);
  });

  it('refuses a status that the catalogue does not have', async () => {
    const answer = await stand.api.staff.send('POST', 'jobs', {
      kind: 'change_status',
      ids: ['a'],
      arguments: { status_code: 9 },
    });
    expect(codesOf(answer)).toEqual([42201]);
  });

  it('says apart how many orders would stay as they are', async () => {
    const [open = '', rejected = ''] = await stand.bought(2);
    await stand.api.staff.changeStatus(rejected, 3010);
    await stand.api.staff.send('PUT', `orders/${open}/tags`, ['vip']);
    await stand.api.staff.send('PUT', `orders/${open}/assignee`, { operator_id: ada.id });
    const ids = [open, rejected, 'ord_unknown'];
    const counts = async (body: object) => {
      const preview = await stand.preview({ ids, ...body });
      const { total, allowed, unchanged, refused, sample } = preview as typeof preview & { sample: object[] };
      expect(sample).toContainEqual(expect.objectContaining({ outcome: 'unchanged' }));
      return [total, allowed, unchanged, refused];
    };
    const ofShow = { kind: 'cancel_event', ids: undefined, event_id: stand.show, arguments: {} };
    expect(await counts(ofShow)).toEqual([2, 1, 1, 0]);
    expect(await counts({ kind: 'change_status', arguments: { status_code: 3010 } })).toEqual([3, 1, 1, 1]);
    expect(await counts({ kind: 'tag', arguments: { add: ['vip'] } })).toEqual([3, 1, 1, 1]);
    expect(await counts({ kind: 'tag', arguments: { remove: ['vip'] } })).toEqual([3, 1, 1, 1]);
    expect(await counts({ kind: 'assign', arguments: { operator_id: ada.id } })).toEqual([3, 1, 1, 1]);
    expect(await counts({ kind: 'assign', arguments: { operator_id: null } })).toEqual([3, 1, 1, 1]);
    expect(await stand.order(open)).toMatchObject({ tags: ['vip'], assignee: ada.id });
  });

  it('is paused, resumed and cancelled, unless it has ended', async () => {
    const ids = await stand.bought(2);
    const { id } = await stand.begin({ kind: 'change_status', ids, arguments: { status_code: 2001 } });
    const act = async (what: string) => (await stand.api.staff.send('POST', `jobs/${id}/${what}`)).body as Job;
    expect(await act('pause')).toMatchObject({ state: 'paused' });
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'paused', done: 0 });
    expect(await act('resume')).toMatchObject({ state: 'running' });
    expect(await act('pause')).toMatchObject({ state: 'paused' });
    expect(await act('cancel')).toMatchObject({ state: 'cancelled', done: 0 });
    await stand.runner().step();
    const done = await stand.run({ kind: 'change_status', ids, arguments: { status_code: 2000 } });
    for (const ended of [id, done.id]) {
      for (const what of ['pause', 'resume', 'cancel']) {
        const answer = await stand.api.staff.send('POST', `jobs/${ended}/${what}`);
        expect([answer.status, codesOf(answer)], what).toEqual([409, [40902]]);
      }
    }
    expect([(await stand.job(id)).state, (await stand.job(done.id)).state]).toEqual(['cancelled', 'done']);
    expect(await stand.codeOf(ids[0] ?? '')).toBe(2000);
    expect(codesOf(await stand.api.staff.get('jobs/job_unknown'))).toEqual([40400]);
  });
});

describe('taking a job back', () => {
  const undo = (id: string) => stand.api.staff.send('POST', `jobs/${id}/undo`);
  const wouldUndo = async (id: string) =>
    (await stand.api.staff.send('POST', `jobs/${id}/undo`, { dry_run: true })).body;
  const undone = async (id: string) => {
    const answer = await undo(id);
    if (answer.status !== 202) throw new Error(answer.text);
    await stand.runner().step();
    return await stand.job((answer.body as Job).id);
  };

  it('gives the orders their earlier status, but not those that have changed since or have ended', async () => {
    const [plain = '', touched = ''] = await stand.bought(2);
    const first = await stand.run({ kind: 'change_status', ids: [plain, touched], arguments: { status_code: 4006 } });
    await stand.api.staff.changeStatus(touched, 2001);
    expect(await stand.job(first.id)).toMatchObject({ can_undo: true });
    expect(await wouldUndo(first.id)).toMatchObject({ total: 2, allowed: 1, refused: 1, effects: { ping: 1 } });
    const back = await undone(first.id);
    expect(back).toMatchObject({ state: 'done', done: 1, failed: 1, undoes: first.id, can_undo: false });
    expect(await Promise.all([plain, touched].map((id) => stand.codeOf(id)))).toEqual([2000, 2001]);
    expect((await stand.results(back.id, 'outcome=refused'))[0]?.reason).toContain('version');
    const rejected = await stand.run({ kind: 'cancel_event', event_id: stand.show });
    expect(rejected).toMatchObject({ done: 2, can_undo: false });
    expect(await wouldUndo(rejected.id)).toMatchObject({ allowed: 0, refused: 2, amount_returned: 0 });
    expect(await undone(rejected.id)).toMatchObject({ done: 0, failed: 2 });
    expect(codesOf(await undo(back.id))).toEqual([40902]);
  });

  it('is not offered for jobs that the rules let nobody take back, or that changed nothing', async () => {
    const ids = await stand.bought(2, 'ask');
    expect(await stand.run({ kind: 'accept', ids })).toMatchObject({ done: 2, can_undo: false });
    expect(await stand.run({ kind: 'accept', ids })).toMatchObject({ done: 2, can_undo: false });
    const postponed = await stand.begin({ kind: 'postpone_event', event_id: stand.show });
    expect(await stand.finished(postponed.id)).toMatchObject({ can_undo: false });
  });

  it('waits for the end of the job', async () => {
    const ids = await stand.bought(1);
    const { id } = await stand.begin({ kind: 'change_status', ids, arguments: { status_code: 4006 } });
    expect(codesOf(await undo(id))).toEqual([40902]);
    await stand.runner().step();
    expect(await undone(id)).toMatchObject({ state: 'done', done: 1 });
  });

  it('gives tags and assignees back', async () => {
    const [plain = '', touched = ''] = await stand.bought(2);
    await stand.api.staff.send('PUT', `orders/${plain}/tags`, ['old', 'vip']);
    const tagged = await stand.run({
      kind: 'tag',
      ids: [plain, touched],
      arguments: { add: ['new'], remove: ['old'] },
    });
    await stand.api.staff.send('PUT', `orders/${touched}/tags`, ['other']);
    expect(await wouldUndo(tagged.id)).toMatchObject({ allowed: 1, refused: 1 });
    expect(await stand.job(tagged.id)).toMatchObject({ can_undo: true });
    expect(await undone(tagged.id)).toMatchObject({ done: 1, failed: 1 });
    expect([(await stand.order(plain)).tags, (await stand.order(touched)).tags]).toEqual([['old', 'vip'], ['other']]);
    const assigned = await stand.run({ kind: 'assign', ids: [plain], arguments: { operator_id: ada.id } });
    expect(await undone(assigned.id)).toMatchObject({ done: 1 });
    expect((await stand.order(plain)).assignee).toBeNull();
    const { id } = await stand.begin({ kind: 'accept', ids: [plain] });
    expect(codesOf(await undo(id))).toEqual([40902]);
  });
});

describe('approval', () => {
  it('is given by somebody who sees what would follow, also of orders that were placed since', async () => {
    const paid = await stand.paid();
    await stand.bought(APPROVAL_FROM - 1);
    const { id, state } = await stand.begin({ kind: 'cancel_event', event_id: stand.show }, ada);
    expect(state).toBe('waiting_for_approval');
    await stand.bought(1);
    const preview = async (of: string) => await grace.send('GET', `jobs/${of}/preview`);
    expect((await preview(id)).body).toMatchObject({
      total: APPROVAL_FROM + 1,
      allowed: APPROVAL_FROM + 1,
      effects: { ping: APPROVAL_FROM + 1, refund: 1 },
      amount_returned: 254.6,
    });
    expect(await stand.codeOf(paid)).toBe(2000);
    await grace.send('POST', `jobs/${id}/cancel`);
    expect(codesOf(await preview(id))).toEqual([40902]);
    expect(codesOf(await preview('job_unknown'))).toEqual([40400]);
  });

  it('is given by another operator from the number of orders of the setting on', async () => {
    const ids = Array.from({ length: APPROVAL_FROM }, (_, index) => `ord_none_${index}`);
    expect(await stand.begin({ kind: 'accept', ids: ids.slice(1) }, ada)).toMatchObject({ state: 'running' });
    const { id, state } = await stand.begin({ kind: 'accept', ids }, ada);
    expect(state).toBe('waiting_for_approval');
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state, failed: 0 });
    const approve = (by: Pick<SignedIn, 'send'>) => by.send('POST', `jobs/${id}/approve`);
    expect(codesOf(await approve(ada))).toEqual([40300]);
    // A token of the same person would make the second pair of eyes worthless.
    expect(codesOf(await approve(stand.api.staff))).toEqual([40300]);
    expect((await approve(grace)).body).toMatchObject({ state: 'running', approved_by_name: grace.name });
    await stand.runner().step();
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'done', failed: APPROVAL_FROM });
    expect((await approve(grace)).body).toMatchObject({ state: 'done' });
  });
});
