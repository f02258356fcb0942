// A PostgreSQL of Debian whose log pgBackRest archives, in one folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { debianPostgres } from '../../tools/debian-postgres.mjs';
import { loginsOf } from '../patroni/database.mjs';
import { account, launch, makeFolder, until, writeOwned } from '../patroni/processes.mjs';

const HOST = '127.0.0.1';
const STANZA = 'willcall';

export class ArchivedServer {
  #owner = account();

  /** @param passwords of `superuser`, `migrate` and `service` */
  constructor(folder, port, passwords) {
    Object.assign(this, { folder, port, passwords });
    this.data = join(folder, 'data');
  }

  address(login, password, database = 'willcall') {
    return `postgres://${login}:${password}@${HOST}:${this.port}/${database}`;
  }

  /** A new server with an empty database and its two logins, and a repository with one full backup. */
  async create() {
    makeFolder(this.folder, this.#owner);
    for (const name of ['data', 'repository']) makeFolder(join(this.folder, name), this.#owner);
    const secret = join(this.folder, 'superuser.password');
    writeOwned(secret, this.passwords.superuser, this.#owner);
    const access = ['-U', 'postgres', '--auth-local=peer', '--auth-host=scram-sha-256', `--pwfile=${secret}`];
    this.#run('initdb', '-D', this.data, ...access, '-E', 'UTF8', '--locale=C.UTF-8');
    writeOwned(join(this.data, 'pg_ident.conf'), `backup ${this.#accountName()} postgres\n`, this.#owner);
    const hba = readFileSync(join(this.data, 'pg_hba.conf'), 'utf8');
    writeOwned(join(this.data, 'pg_hba.conf'), hba.replaceAll(/^(local.* peer)$/gm, '$1 map=backup'), this.#owner);
    writeOwned(join(this.data, 'postgresql.auto.conf'), this.#settings(), this.#owner);
    const template = readFileSync(join(import.meta.dirname, 'pgbackrest.conf'), 'utf8');
    const text = template.replaceAll('<folder>', this.folder).replaceAll('<port>', `${this.port}`);
    writeOwned(join(this.folder, 'pgbackrest.conf'), text, this.#owner);
    await this.start();
    await this.query('create database willcall', 'postgres');
    await this.query(loginsOf(this.passwords));
    this.pgbackrest('stanza-create');
    this.pgbackrest('check');
  }

  #settings() {
    const push = `pgbackrest --config=${this.folder}/pgbackrest.conf --stanza=${STANZA} archive-push %p`;
    return [
      `listen_addresses = '${HOST}'`,
      `port = ${this.port}`,
      `unix_socket_directories = '${this.folder}'`,
      'archive_mode = on',
      `archive_command = '${push}'`,
      // At most so many seconds of purchases are lost with the machine.
      'archive_timeout = 60',
      '',
    ].join('\n');
  }

  /** Waits until it can be written: after a restore, until it has replayed the log. */
  async start() {
    launch(this.folder, join(debianPostgres, 'postgres'), ['-D', this.data], this.#owner);
    await until('PostgreSQL can be written', async () => {
      const [{ recovers }] = await this.query('select pg_is_in_recovery() as recovers', 'postgres');
      return !recovers;
    });
  }

  /** What is committed is archived before it ends. */
  stop() {
    this.#run('pg_ctl', '-D', this.data, '-m', 'fast', '-w', 'stop');
  }

  /** Files that are as in the backup stay. */
  restore(instant) {
    this.pgbackrest('restore', '--delta', '--type=time', `--target=${instant}`, '--target-action=promote');
  }

  pgbackrest(command, ...options) {
    const place = [`--config=${this.folder}/pgbackrest.conf`, `--stanza=${STANZA}`, '--log-level-console=warn'];
    execFileSync('pgbackrest', [...place, ...options, command], this.#process());
  }

  /** As superuser. Returns the rows. */
  async query(sql, database = 'willcall') {
    const connectionString = this.address('postgres', this.passwords.superuser, database);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  #run(program, ...args) {
    execFileSync(join(debianPostgres, program), args, { ...this.#process(), stdio: ['ignore', 'ignore', 'inherit'] });
  }

  #process() {
    return { cwd: this.folder, ...this.#owner, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  }

  #accountName() {
    return execFileSync('id', ['-un', `${this.#owner.uid ?? process.getuid()}`], { encoding: 'utf8' }).trim();
  }
}
