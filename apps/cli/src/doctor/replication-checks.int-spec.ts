import { type AddressInfo, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { checkPooler } from './replication-checks.js';

/** A message of PostgreSQL's protocol: its letter, its length, and what follows. */
function message(letter: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = message('Z', 'I');
const LOGGED_IN = Buffer.concat([message('R', Buffer.alloc(4)), READY]);
const COLUMN = message(
  'T',
  Buffer.from([0, 1]),
  'pid\0',
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]),
);

/** Answers each statement with the same session, as PgBouncer with pool_mode=transaction does when nobody else is busy. */
function startPooler(): Server {
  const row = message('D', Buffer.from([0, 1, 0, 0, 0, 2]), '77');
  const answer = Buffer.concat([COLUMN, row, message('C', 'SELECT 1\0'), READY]);
  return createServer((socket) => {
    let isLoggedIn = false;
    socket.on('data', (data) => {
      if (!isLoggedIn) socket.write(LOGGED_IN);
      else if (data.toString('latin1', 0, 1) === 'Q') socket.write(answer);
      else socket.end();
      isLoggedIn = true;
    });
  }).listen(0, '127.0.0.1');
}

describe('pooler', () => {
  let database: TestDatabase;
  let pooler: Server;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = startPooler();
    await once(pooler, 'listening');
  });
  afterAll(async () => {
    pooler.close();
    await database.drop();
  });

  it('is none where each connection has a session of its own', async () => {
    expect(await checkPooler(database.url)).toMatchObject({ state: 'ok' });
  });

  it('in transaction mode is refused', async () => {
    const { port } = pooler.address() as AddressInfo;
    expect(await checkPooler(`postgres://shop@127.0.0.1:${port}/willcall`)).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('pool_mode=session') as string,
    });
  });
});
