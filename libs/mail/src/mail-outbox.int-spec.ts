import { rmSync } from 'node:fs';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { applicationUrl, createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { decodedMail } from '../../../test/support/decoded-mail.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { type SmtpDouble, startSmtpDouble } from '../../../test/support/smtp-double.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { MailOutbox } from './mail-outbox.js';
import { MailTransport } from './mail-transport.js';
import { isFree, type MailEnd, type WaitingMails } from './waiting-mails.js';

const MINUTE_MS = 60_000;
const LEASE_MS = 2 * MINUTE_MS + 1;

const folder = temporaryFolder('outbox');
let database: TestDatabase;
let pool: Pool;
let smtp: SmtpDouble;
let clock: FixedClock;
let outbox: MailOutbox;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    databaseUrl: applicationUrl(database.url),
    max: 8,
    applicationName: 'test',
    onError: () => undefined,
  });
  smtp = await startSmtpDouble();
});
afterAll(async () => {
  await pool.end();
  await Promise.all([database.drop(), smtp.close()]);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  clock = new FixedClock();
  const settings = parseSettings({ PUBLIC_URL: 'https://tickets.example', SMTP_URL: smtp.url });
  outbox = new MailOutbox(pool, clock, new MailTransport(settings, new FolderObjectStore(folder)));
});
afterEach(async () => {
  await pool.query('delete from account_mails');
  await pool.query(`update mails set state = 'sent', lease_until = null`);
  smtp.forget();
});

type Row = Readonly<{ id: string; state?: string }>;

const written = ([{ id }]: readonly [Row, ...Row[]]) => ({
  id,
  to: 'ada@example.com',
  subject: id,
  text: 't',
  html: 'h',
});

/** Mails whose rows are deleted when they have ended. */
const forgotten: WaitingMails<Row> = {
  table: {
    name: 'account_mails',
    key: ['id'],
    leasedUntil: 'lease_until',
    next: `select id from account_mails where ${isFree('lease_until')} order by at limit 1 for update skip locked`,
  },
  compose: written,
  ended: () => ({ sql: 'delete from account_mails' }),
};

/** Mails that stay, with what became of them. Something else is told. */
const told: MailEnd[] = [];
const kept: WaitingMails<Row> = {
  table: {
    name: 'mails',
    key: ['id'],
    leasedUntil: 'lease_until',
    next: `
      select id from mails where state in ('due', 'accepted') and due_at <= $1 and ${isFree('lease_until')}
      limit 1 for update skip locked`,
  },
  compose: written,
  isAccepted: ({ state }) => state === 'accepted',
  accepted: () => Promise.resolve({ sql: `update mails set state = 'accepted'` }),
  tell: (_, end) => Promise.resolve(void told.push(end)),
  putOff: (until, error) => ({
    sql: 'update mails set due_at = $3, error = $4, lease_until = null',
    values: [until, error],
  }),
  ended: (_, { state, error }) => ({
    sql: 'update mails set state = $3, error = $4, lease_until = null',
    values: [state, error],
  }),
};
beforeEach(() => void told.splice(0));

async function addForgotten(...ids: string[]): Promise<void> {
  const sql = `insert into account_mails (id, email, change, at, by_self) values ($1, 'ada@example.com', 'email', $2, true)`;
  for (const id of ids) await pool.query(sql, [id, clock.iso()]);
}

async function addKept(id: string): Promise<void> {
  const sql = `insert into mails (id, order_id, kind, state, created_at, requested_by, due_at)
    values ($1, 'ord_1', 'confirmation', 'due', $2, 'test', $2)`;
  await pool.query(sql, [id, clock.iso()]);
}

const rowOf = async (id: string) =>
  (await pool.query('select state, attempts, error from mails where id = $1', [id])).rows[0] as unknown;
const waiting = async () => (await pool.query('select from account_mails')).rowCount;
const subjects = () => smtp.accepted.map((raw) => decodedMail(raw).subject).sort();

async function work(mails: WaitingMails<Row>): Promise<void> {
  while (await outbox.send(mails));
}

const died = () => Promise.reject(new Error('died'));

describe('two workers', () => {
  it('send each mail once', async () => {
    const ids = Array.from({ length: 12 }, (_, number) => `mai_${number}`).sort();
    await addForgotten(...ids);
    await Promise.all([work(forgotten), work(forgotten)]);
    expect([subjects(), await waiting()]).toEqual([ids, 0]);
  });

  it('leave a mail to the one that has it, until its lease is over', async () => {
    await addForgotten('mai_1');
    const frozen: WaitingMails<Row> = {
      ...forgotten,
      compose: async (rows) => {
        expect(await outbox.send(forgotten)).toBe(false);
        clock.advance(LEASE_MS);
        expect(await outbox.send(forgotten)).toBe(true);
        return written(rows);
      },
    };
    expect(await outbox.send(frozen)).toBe(true);
    expect(subjects()).toEqual(['mai_1']);
  });
});

describe('a process that dies after the mail server has the mail', () => {
  it('lets the next one send it again with the same id, if the table cannot say so', async () => {
    await addForgotten('mai_1');
    const dying: WaitingMails<Row> = {
      ...forgotten,
      ended: () => {
        throw new Error('died');
      },
    };
    await expect(outbox.send(dying)).rejects.toThrow('died');
    expect(await outbox.send(forgotten)).toBe(false);
    clock.advance(LEASE_MS);
    await work(forgotten);
    const ids = smtp.accepted.map((raw) => decodedMail(raw).messageId);
    expect(ids).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('mai_1@localhost') as string));
    expect(await waiting()).toBe(0);
  });

  it('lets the next one only tell of it, if the table says so', async () => {
    await addKept('mai_kept');
    await expect(outbox.send({ ...kept, tell: died })).rejects.toThrow('died');
    expect([await rowOf('mai_kept'), told]).toEqual([{ state: 'accepted', attempts: 1, error: null }, []]);
    clock.advance(LEASE_MS);
    await work(kept);
    expect(await rowOf('mai_kept')).toEqual({ state: 'sent', attempts: 1, error: null });
    expect([subjects(), told]).toEqual([['mai_kept'], [{ state: 'sent', error: null }]]);
  });
});

describe('a mail that the mail server does not take now', () => {
  it('is tried again after waits that double up to an hour, and given up after two days', async () => {
    await addKept('mai_late');
    clock.advance(-1);
    const begun = clock.now();
    const waits: number[] = [];
    for (let last = begun; waits.length < 55; last = clock.now()) {
      expect(await outbox.send(kept)).toBe(false);
      const { rows } = await pool.query<{ due_at: Date }>(`select due_at from mails where id = 'mai_late'`);
      clock.set(rows[0]?.due_at.toISOString() ?? '');
      waits.push((clock.now() - last) / MINUTE_MS);
      smtp.refusals.push([451, '4.3.2 later']);
      expect(await outbox.send(kept)).toBe(true);
    }
    expect(waits.slice(0, 10).map((wait) => Number(wait.toFixed(1)))).toEqual([0, 0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect((clock.now() - begun) / 3_600_000).toBeCloseTo(48, 0);
    const error = 'the mail could not be sent: 451';
    expect(await rowOf('mai_late')).toEqual({ state: 'refused', attempts: 55, error });
    expect(told).toEqual([{ state: 'refused', error }]);
    clock.advance(24 * 60 * MINUTE_MS);
    expect([await outbox.send(kept), smtp.accepted]).toEqual([false, []]);
  });

  it('throws if its table does not keep the error, and holds nobody else back', async () => {
    await addForgotten('mai_1');
    smtp.refusals.push([451, '4.3.2 later']);
    await expect(work(forgotten)).rejects.toThrow('451');
    await addForgotten('mai_2');
    await work(forgotten);
    expect([subjects(), await waiting()]).toEqual([['mai_2'], 1]);
    clock.advance(30_000);
    await work(forgotten);
    expect([subjects(), await waiting()]).toEqual([['mai_1', 'mai_2'], 0]);
  });
});

describe('a mail that ends', () => {
  it('bounces at once if the mail server never takes it', async () => {
    await addKept('mai_gone');
    await addForgotten('mai_1');
    smtp.refusals.push([550, '5.1.1 No such mailbox'], [550, '5.1.1 No such mailbox']);
    await work(kept);
    await expect(work(forgotten)).rejects.toThrow('550 5.1.1');
    expect(await rowOf('mai_gone')).toEqual({ state: 'refused', attempts: 1, error: '550 5.1.1' });
    expect([told, await waiting()]).toEqual([[{ state: 'refused', error: '550 5.1.1' }], 0]);
  });

  it('without being sent tells nobody, and counts no attempt', async () => {
    await addKept('mai_none');
    await work({ ...kept, compose: () => ({ reason: 'there is nobody' }) });
    expect(await rowOf('mai_none')).toEqual({ state: 'skipped', attempts: 0, error: 'there is nobody' });
    expect([told, smtp.accepted]).toEqual([[], []]);
  });
});
