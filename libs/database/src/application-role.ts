import pg from 'pg';
import { UnusableDatabase } from './unusable-database.js';

/** Processes that serve requests switch to this role. It can append to the event log but not change it. */
export const APPLICATION_ROLE = 'willcall_app';

const ALREADY_EXISTS = ['42710', '23505'];
const NOT_ALLOWED = '42501';
const NO_SUCH_ROLE = ['42704', '22023'];
const TOLERATED = [...ALREADY_EXISTS, NOT_ALLOWED, ...NO_SUCH_ROLE];

/** Grants it to the current user, too. Roles belong to the server, so an administrator may have to create it. @throws UnusableDatabase */
export async function ensureApplicationRole(client: pg.Client): Promise<void> {
  if (await canTakeRole(client)) return;
  await tryStatement(client, `create role ${APPLICATION_ROLE} nologin`);
  await tryStatement(client, `grant ${APPLICATION_ROLE} to current_user`);
  if (await canTakeRole(client)) return;
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name');
  throw new UnusableDatabase(
    `${rows[0]?.name} cannot create the database role ${APPLICATION_ROLE}, which Willcall uses to serve requests. ` +
      `Ask an administrator of the server to run: ` +
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${rows[0]?.name};`,
  );
}

async function canTakeRole(client: pg.Client): Promise<boolean> {
  const can = await tryStatement(client, `set role ${APPLICATION_ROLE}`);
  if (can) await client.query('reset role');
  return can;
}

/** Whether the server allowed it. */
export async function tryStatement(client: pg.Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && TOLERATED.includes(error.code ?? '')) return false;
    throw error;
  }
}
