import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from './support/api.js';
import { apiEnvironment } from './support/api-environment.js';
import { debianPostgres, startDebianPostgres, type DebianPostgres } from './support/debian-postgres.js';
import { blocksOf } from './support/markdown.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');
const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');
const PAGE = read('backup-and-restore.md');
const blockWith = (language: string, part: string, page = PAGE) => {
  const found = blocksOf(page, language).find((block) => block.includes(part));
  if (found === undefined) throw new Error(`No ${language} block of the documents has ${part}`);
  return found;
};
const ROLES = blockWith('sql', 'create role willcall_owner', read('install-and-upgrade.md'));
const DUMP = blockWith('sh', 'pg_dump');
const RESTORE = blockWith('sh', 'pg_restore --single-transaction');
const RESTORE_INTO_OLDER = blockWith('sh', 'pg_restore --file');
const MIGRATE = 'npm run willcall -- migrate';
const VERIFY = 'npm run willcall -- verify';

// Of the header: PGDMP and three bytes of the file's version.
const FORMAT_OF_18 = Buffer.from('PGDMP\x01\x10\x00');

type Finished = Readonly<{ code: number; output: string; errors: string }>;

let folder: string;
beforeAll(() => (folder = temporaryFolder('documented-restore')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server of Debian with an empty database and the page's two logins. */
class OwnServer {
  private constructor(private readonly server: DebianPostgres) {}

  static async started(): Promise<OwnServer> {
    const own = new OwnServer(await startDebianPostgres());
    await own.execute(own.server.url, 'create database willcall');
    await own.execute(own.as('postgres'), ROLES);
    return own;
  }

  readonly as = (login: string) => {
    return Object.assign(new URL(this.server.url), { username: login, pathname: 'willcall' }).href;
  };

  /** Replaces the database by an empty one. The roles stay, with their rights. */
  async empty(): Promise<void> {
    await this.execute(this.server.url, 'drop database willcall');
    await this.execute(this.server.url, 'create database willcall');
    await this.execute(this.as('postgres'), ROLES.replaceAll(/^(create role|grant willcall).*\n/gm, ''));
  }

  async execute(url: string, statements: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statements).finally(() => client.end());
  }

  /** Runs lines of the page in a shell, with Debian's programs. `before` is a folder whose programs come first. */
  run(lines: string, before = ''): Promise<Finished> {
    const script = lines.replaceAll(/npm run willcall --/g, `${process.execPath} ${root}/dist/programs/willcall.js`);
    const env = {
      ...apiEnvironment(this.as('willcall_service')),
      PATH: [before, debianPostgres, process.env.PATH].join(':'),
      DATABASE_URL: this.as('willcall_service'),
      MIGRATION_DATABASE_URL: this.as('willcall_migrate'),
    };
    return new Promise((done) => {
      execFile('sh', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
        done({ code: error ? Number(error.code) : 0, output: stdout, errors: stderr });
      });
    });
  }

  api(): Promise<TestApi> {
    const url = this.as('postgres');
    return startTestApi({ DATABASE_URL: this.as('willcall_service') }, { url, drop: async () => undefined });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

if (!debianPostgres) console.log('Skipped: the documented restore (no /usr/lib/postgresql/*/bin/postgres).');

describe.skipIf(!debianPostgres)("the page's lines for dump and restore, with two logins,", () => {
  let first: OwnServer;
  let second: OwnServer;
  const bought: string[] = [];
  beforeAll(async () => {
    [first, second] = await Promise.all([OwnServer.started(), OwnServer.started()]);
    expect(await first.run(MIGRATE)).toMatchObject({ code: 0 });
    const api = await first.api();
    await api.staff.putListing('lst-1', { quantity: 100 });
    for (const ref_id of ['one', 'two', 'three']) {
      bought.push(await api.wholesale.bought({ ...wholesaleBody(), ref_id }));
    }
    await api.close();
    expect(await first.run(DUMP)).toEqual({ code: 0, output: '', errors: '' });
  });
  beforeEach(() => second.empty());
  afterAll(() => Promise.all([first.stop(), second.stop()]));

  it('move everything, and the new server sells', async () => {
    await expectRestored(await second.run(RESTORE));
  });

  it('stop at a file of a newer pg_dump, and the page names what is said', async () => {
    const file = join(folder, 'willcall.dump');
    const dump = readFileSync(file);
    writeFileSync(file, Buffer.concat([FORMAT_OF_18, dump.subarray(FORMAT_OF_18.length)]));
    const { code, output, errors } = await second.run(RESTORE);
    writeFileSync(file, dump);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    const [said] = /unsupported version \(1.16\) in file header/.exec(errors) ?? [errors];
    expect(PAGE).toContain(`\`${said}\``);
  });

  it('bring a file of a newer pg_restore into an older server by way of SQL', async () => {
    const newer = join(folder, 'newer');
    writeProgram(newer, `${debianPostgres}/pg_restore "$@" && sed -i '1i SET transaction_timeout = 0;' willcall.sql`);
    await expectRestored(await second.run(RESTORE_INTO_OLDER, newer));
    const refused = second.execute(second.as('postgres'), 'set transaction_timeout = 0');
    await expect(refused).rejects.toThrow('unrecognized configuration parameter "transaction_timeout"');
  });

  it('cannot be taken for a success when nothing was restored', async () => {
    const { code, output } = await second.run(`${MIGRATE} && ${VERIFY}`);
    expect(output).toMatch(/\nCompared 0 streams, 0 events.*\nThe log is empty.*nothing was restored\.\n$/);
    expect(code).toBe(0);
  });

  async function expectRestored({ code, output }: Finished): Promise<void> {
    expect(output).toMatch(/^The schema is up to date\.\nCompared 3 streams, [^]*\nEverything agrees\.\n$/);
    expect(code).toBe(0);
    const api = await second.api();
    for (const id of bought) expect((await api.wholesale.read(id)).body).toMatchObject({ id });
    expect(bought).not.toContain(await api.wholesale.bought({ ...wholesaleBody(), ref_id: 'after' }));
    await api.close();
  }
});

/** A program `pg_restore` in a folder of its own, that does what those of versions 17 and 18 do. */
function writeProgram(place: string, script: string): void {
  mkdirSync(place);
  const file = join(place, 'pg_restore');
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
