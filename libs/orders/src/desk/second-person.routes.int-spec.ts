import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssuedApiToken } from '#accounts/api-token.contract';
import type { AuditPage } from '#accounts/audit.contract';
import type { Job, JobPreview } from '#desk/job.contract';
import type { AddedOperator, Session } from '#accounts/operator.contract';
import type { Permission } from '#accounts/permission.contract';
import { OrderTransferRunner } from '#desk/files/order-transfer-runner';
import { call, codesOf, messagesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { secondPerson, signIn, type SignedIn } from '../../../../test/support/operators.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';
import { linesText, orderLines } from '../../../../test/support/orders/order-lines.js';

const APPROVAL_FROM = 10;
const PASSWORD = 'a tram with brass doors';
const SCOPES = ['orders:read', 'orders:act', 'orders:reveal', 'runs:act', 'admin', 'audit:read'] as const;

type Sender = Pick<SignedIn, 'send'>;

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start({ APPROVAL_FROM_ORDERS: String(APPROVAL_FROM) });
  await stand.nextShow();
});
afterAll(() => stand.api.close());

const url = (path: string) => `${stand.api.url}/backoffice/v1/${path}`;
const bearer = (token: string): Sender => ({
  send: (method, path, body) => call(url(path), method, body, { authorization: `Bearer ${token}` }),
});
const tokenOf = async (by: Sender, scopes: readonly Permission[] = SCOPES) => {
  const { body, status, text } = await by.send('POST', 'tokens', { name: 'nightly', scopes });
  if (status !== 201) throw new Error(text);
  return bearer((body as IssuedApiToken).token);
};
/** As long as nothing happens to them: none of the orders is there. */
let numbers = 0;
const begin = async (by: Sender, orders = APPROVAL_FROM) => {
  const ids = Array.from({ length: orders }, () => `ord_none_${(numbers += 1)}`);
  return await stand.begin({ kind: 'accept', ids }, by);
};
const approve = (by: Sender, { id }: Pick<Job, 'id'>) => by.send('POST', `jobs/${id}/approve`);
const administrator = () => secondPerson(stand.api, ['administrator']);

/** The beginner and who tries to approve. */
type Pair = readonly [Sender, Sender];

describe('a second person', () => {
  it.each<readonly [string, () => Promise<Pair>, string]>([
    ['who began it', async () => administrator().then((ada): Pair => [ada, ada]), 'You began it'],
    [
      'whose token began it',
      async () => administrator().then(async (ada): Promise<Pair> => [await tokenOf(ada), ada]),
      'Your token began it',
    ],
    [
      'whose token made the token that began it',
      async () => {
        const ada = await administrator();
        return [await tokenOf(await tokenOf(ada)), ada];
      },
      'Your token began it',
    ],
    ['who is a token', async () => [await administrator(), await tokenOf(await administrator())], 'a token cannot'],
    ['who is BACKOFFICE_TOKEN', async () => [await administrator(), bearer(STAFF_TOKEN)], 'a token cannot'],
    [
      'whom the beginner has made',
      async () => {
        const ada = await administrator();
        return [ada, await signIn(stand.api, ['operations'], undefined, ada)];
      },
      'within the last 24 hours',
    ],
    [
      "whom the beginner's token has made",
      async () => {
        const ada = await administrator();
        return [ada, await signIn(stand.api, ['operations'], undefined, await tokenOf(ada))];
      },
      'within the last 24 hours',
    ],
    [
      'who has made the beginner',
      async () => {
        const ada = await administrator();
        return [await signIn(stand.api, ['operations'], undefined, ada), ada];
      },
      'You have made',
    ],
    [
      'whom somebody has made who has made the beginner too',
      async () => {
        const ada = await administrator();
        const made = () => signIn(stand.api, ['operations'], undefined, ada);
        return [await made(), await made()];
      },
      'One person',
    ],
    [
      'whom BACKOFFICE_TOKEN has made, which began it',
      async () => [bearer(STAFF_TOKEN), await signIn(stand.api, ['operations'])],
      'within the last 24 hours',
    ],
  ])('is nobody %s', async (_, pair, why) => {
    const [beginner, approver] = await pair();
    const job = await begin(beginner);
    expect(job.state).toBe('waiting_for_approval');
    const answer = await approve(approver, job);
    expect([answer.status, codesOf(answer)]).toEqual([403, [40300]]);
    expect(messagesOf(answer)[0]).toContain(why);
    const shown = (await approver.send('GET', `jobs/${job.id}`)).body as Job;
    expect(shown).toMatchObject({ state: 'waiting_for_approval', can_approve: false });
    expect(shown.why_not).toContain(why);
  });

  it.each<readonly [string, () => Promise<Pair>]>([
    ['an operator of whom the beginner knows nothing', async () => [await administrator(), await administrator()]],
    ["a named person, for BACKOFFICE_TOKEN's jobs", async () => [bearer(STAFF_TOKEN), await administrator()]],
    [
      'a colleague, though BACKOFFICE_TOKEN has made both accounts',
      async () => [await signIn(stand.api, ['operations']), await signIn(stand.api, ['operations'])],
    ],
  ])('is %s', async (_, pair) => {
    const [beginner, approver] = await pair();
    const job = await begin(beginner);
    expect((await approver.send('GET', `jobs/${job.id}`)).body).toMatchObject({ can_approve: true, why_not: null });
    expect((await approve(approver, job)).body).toMatchObject({ state: 'running', can_approve: false, why_not: null });
  });

  it('is nobody whose password the beginner has set, or whose invitation, until 24 hours later', async () => {
    const [ada, bob] = [await administrator(), await administrator()];
    const first = await begin(ada);
    expect((await ada.send('PATCH', `operators/${bob.id}`, { password: PASSWORD })).status).toBe(200);
    const { email } = (await ada.send('GET', `operators/${bob.id}`)).body as { email: string };
    const again = await signedIn(email, PASSWORD);
    expect((await approve(again, first)).status).toBe(403);
    await stand.api.pool.query(`update operator_access set given_at = now() - interval '24 hours 1 minute'`);
    expect((await approve(again, first)).status).toBe(200);

    const second = await begin(ada);
    const made = await ada.send('POST', 'operators', { email: 'cy@example.com', name: 'Cy', roles: ['operations'] });
    // The maker may have kept the invitation.
    await stand.api.pool.query(`update operator_access set given_at = now() - interval '25 hours'`);
    const token = (made.body as AddedOperator).invite_url?.split('#')[1];
    expect((await call(url('invitations/accept'), 'POST', { token, password: PASSWORD })).status).toBe(204);
    expect((await approve(await signedIn('cy@example.com', PASSWORD), second)).status).toBe(403);
  });

  it('is found by the advice where there is none yet', async () => {
    const alone = await JobStand.start({ APPROVAL_FROM_ORDERS: '1' });
    try {
      const ada = await secondPerson(alone.api, ['administrator']);
      const job = await alone.begin({ kind: 'accept', ids: ['ord_none'] }, ada);
      expect(job.why_not).toContain('willcall operators add');
      await signIn(alone.api, ['operations'], undefined, ada);
      expect(((await ada.get(`jobs/${job.id}`)).body as Job).why_not).toContain('willcall operators add');
      await secondPerson(alone.api, ['viewer']);
      expect(((await ada.get(`jobs/${job.id}`)).body as Job).why_not).toContain('willcall operators add');
      await secondPerson(alone.api, ['operations']);
      expect(((await ada.get(`jobs/${job.id}`)).body as Job).why_not).toBe(
        'You began it: another person has to approve it.',
      );
    } finally {
      await alone.api.close();
    }
  });
});

describe("one person's jobs of an hour", () => {
  it('count together, also those of its tokens and of whom it has made', async () => {
    const ada = await administrator();
    const [token, bob] = [await tokenOf(ada), await signIn(stand.api, ['operations'], undefined, ada)];
    expect((await begin(ada, 4)).state).toBe('running');
    expect((await begin(token, 3)).state).toBe('running');
    const ids = ['ord_none', 'ord_none_too', 'ord_none_either'];
    const preview = await bob.send('POST', 'jobs', { kind: 'accept', ids, arguments: {}, dry_run: true });
    expect((preview.body as JobPreview).needs_approval).toBe(true);
    const waiting = await begin(bob, 3);
    expect(waiting.state).toBe('waiting_for_approval');
    // What waits, or was approved, does not keep smaller ones from beginning.
    expect((await approve(await administrator(), waiting)).status).toBe(200);
    expect((await begin(bob, 2)).state).toBe('running');
    expect((await begin(ada, 1)).state).toBe('waiting_for_approval');
    expect((await begin(await administrator(), APPROVAL_FROM - 1)).state).toBe('running');
    await stand.api.pool.query(`update jobs set requested_at = requested_at - interval '61 minutes'`);
    expect((await begin(ada, APPROVAL_FROM - 1)).state).toBe('running');
  });

  it('count by what they have done if they were cancelled', async () => {
    const ada = await administrator();
    const { id } = await begin(ada, APPROVAL_FROM - 1);
    await ada.send('POST', `jobs/${id}/cancel`);
    expect((await begin(ada, APPROVAL_FROM - 1)).state).toBe('running');
  });

  it('do not begin in two halves at once', async () => {
    const ada = await administrator();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => begin(ada, APPROVAL_FROM / 2)));
    const states = jobs.map(({ state }) => state).toSorted();
    expect(states).toEqual(['running', ...Array.from({ length: 5 }, () => 'waiting_for_approval')]);
  });

  it('count together when one is taken back', async () => {
    const ada = await administrator();
    const ids = await stand.bought(APPROVAL_FROM / 2);
    const { id } = await stand.begin({ kind: 'tag', ids, arguments: { add: ['vip'] } }, ada);
    await stand.finished(id);
    const dry = await ada.send('POST', `jobs/${id}/undo`, { dry_run: true });
    expect(dry.body).toMatchObject({ total: APPROVAL_FROM / 2, needs_approval: true });
    expect((await ada.send('POST', `jobs/${id}/undo`)).body).toMatchObject({ state: 'waiting_for_approval' });
  });
});

describe('an export in clear', () => {
  const exported = (by: Sender, more: object = {}) =>
    by.send('POST', 'jobs', { kind: 'export_orders', arguments: { format: 'csv' }, ids: ['ord_none'], ...more });

  it('waits, whatever its size, and says in the audit log what it shows', async () => {
    const [ada, bob] = [await administrator(), await administrator()];
    const token = await tokenOf(ada);
    expect((await exported(token, { dry_run: true })).body).toMatchObject({ total: 0, needs_approval: true });
    const columns = ['id', 'email'];
    const job = (await exported(token, { arguments: { format: 'csv', columns } })).body as Job;
    expect(job).toMatchObject({ state: 'waiting_for_approval', total: 0, file: null });
    const step = () => stand.api.app.get(OrderTransferRunner).step(new AbortController().signal);
    await step();
    expect((await token.send('GET', `jobs/${job.id}`)).body).toMatchObject({ state: 'waiting_for_approval' });
    const { entries } = (await ada.get(`audit?subject=job:${job.id}`)).body as AuditPage;
    expect(entries).toMatchObject([
      { action: 'job.started', detail: { in_clear: true, columns, format: 'csv', selection: { ids: ['ord_none'] } } },
    ]);
    expect((await approve(ada, job)).status).toBe(403);
    expect((await bob.get(`jobs/${job.id}/preview`)).body).toMatchObject({ total: 0, needs_approval: true });
    expect((await approve(bob, job)).body).toMatchObject({ state: 'running', approved_by: `operator:${bob.id}` });
    await step();
    expect((await token.send('GET', `jobs/${job.id}`)).body).toMatchObject({ state: 'done', file: { bytes: 13 } });
  });

  it('is none without buyers, or by a person', async () => {
    const ada = await administrator();
    const token = await tokenOf(ada);
    const plain = await exported(token, { arguments: { format: 'ndjson', columns: ['id', 'total'] } });
    expect(plain.body).toMatchObject({ state: 'running' });
    expect((await exported(ada)).body).toMatchObject({ state: 'running' });
  });
});

describe('an import', () => {
  const upload = async (token: string, text: ReturnType<typeof linesText>) => {
    const answer = await fetch(url('jobs?kind=import_orders'), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: text,
    });
    return (await answer.json()) as Job;
  };

  it('waits, can be looked at, and cannot be resumed instead', async () => {
    const bob = await administrator();
    const job = await upload(STAFF_TOKEN, linesText(orderLines(3, 77)));
    expect(job).toMatchObject({ state: 'waiting_for_approval', total: 3 });
    await bob.send('POST', `jobs/${job.id}/pause`);
    await bob.send('POST', `jobs/${job.id}/resume`);
    await stand.api.app.get(OrderTransferRunner).step(new AbortController().signal);
    expect((await bob.get(`jobs/${job.id}`)).body).toMatchObject({ state: 'waiting_for_approval', done: 0 });
    expect((await bob.get(`jobs/${job.id}/preview`)).body).toMatchObject({
      total: 3,
      allowed: 3,
      needs_approval: true,
    });
    expect((await approve(bob, job)).body).toMatchObject({ state: 'running' });
  });

  it('cannot be approved while it is uploaded', async () => {
    const bob = await administrator();
    const job = await upload(STAFF_TOKEN, linesText(orderLines(1, 78)));
    await stand.api.pool.query('update job_files set bytes = null where job_id = $1', [job.id]);
    expect(codesOf(await approve(bob, job))).toEqual([40902]);
    expect(codesOf(await bob.get(`jobs/${job.id}/preview`))).toEqual([40902]);
    expect((await bob.get(`jobs/${job.id}`)).body).toMatchObject({ state: 'waiting_for_approval', approved_by: null });
  });

  it('that nobody approves is forgotten after a week', async () => {
    const job = await upload(STAFF_TOKEN, linesText(orderLines(1, 79)));
    await stand.api.pool.query(`update jobs set requested_at = now() - interval '8 days' where id = $1`, [job.id]);
    await stand.api.app.get(OrderTransferRunner).tidy();
    const { rowCount } = await stand.api.pool.query('select from job_file_parts where job_id = $1', [job.id]);
    expect([rowCount, ((await stand.api.staff.get(`jobs/${job.id}`)).body as Job).state]).toEqual([0, 'cancelled']);
  });
});

async function signedIn(email: string, password: string): Promise<Sender> {
  const answer = await call(url('session'), 'POST', { email, password });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = { cookie, 'x-csrf-token': (answer.body as Session).csrf_token };
  return { send: (method, path, body) => call(url(path), method, body, session) };
}
