import pg from 'pg';
import { UnusableDatabase } from './unusable-database.js';

/** What serves requests connects as the owner and takes this role on: it can add to the event log, and not change it. */
export const APPLICATION_ROLE = 'willcall_app';

// Two databases of one server that make the role at the same moment meet in the catalogue's unique index.
const MADE_BY_ANOTHER = ['42710', '23505'];
const NOT_ALLOWED = '42501';
const NO_SUCH_ROLE = ['42704', '22023'];
const TOLERATED = [...MADE_BY_ANOTHER, NOT_ALLOWED, ...NO_SUCH_ROLE];

/**
 * Makes the role when it is missing, and sees that whoever migrates can take it on. Roles belong to the whole server,
 * so that an administrator may have to do this; the error says how.
 */
export async function ensureApplicationRole(client: pg.Client): Promise<void> {
  if (await canTakeRole(client)) return;
  await attempt(client, `create role ${APPLICATION_ROLE} nologin`);
  await attempt(client, `grant ${APPLICATION_ROLE} to current_user`);
  if (await canTakeRole(client)) return;
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name');
  throw new UnusableDatabase(
    `The database role ${APPLICATION_ROLE}, as which Willcall serves requests, cannot be made by ${rows[0]?.name}. ` +
      `Let an administrator of the server run: ` +
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${rows[0]?.name};`,
  );
}

async function canTakeRole(client: pg.Client): Promise<boolean> {
  const can = await attempt(client, `set role ${APPLICATION_ROLE}`);
  if (can) await client.query('reset role');
  return can;
}

async function attempt(client: pg.Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && TOLERATED.includes(error.code ?? '')) return false;
    throw error;
  }
}
