// The database of Willcall with its two logins, as docs/install-and-upgrade.md creates them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { primaryOf, connect } from './status.mjs';

export async function createDatabase(plan) {
  const node = await primaryOf(plan);
  await run(plan, node, 'postgres', 'create database willcall');
  await run(plan, node, 'willcall', loginsOf(plan.passwords));
}

async function run(plan, node, database, sql) {
  const client = await connect(plan, node, database);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The SQL of docs/install-and-upgrade.md, with these passwords. */
export function loginsOf({ migrate, service }) {
  const page = readFileSync(join(import.meta.dirname, '../../docs/install-and-upgrade.md'), 'utf8');
  const sql = /```sql\n(create role willcall_owner [^`]*)```/.exec(page)?.[1];
  const passwords = [migrate, service];
  return sql.replaceAll(/(?<=password )'…'/g, () => pg.escapeLiteral(passwords.shift()));
}
