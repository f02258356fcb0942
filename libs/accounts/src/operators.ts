import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import type { Role } from './permission.contract.js';
import { newToken, tokenDigest } from '#base/token';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { tellOfChange } from './account-mails.js';
import { type ChangedBy, endSessions, isSelf } from './people/changed-by.js';
import { noteAccess } from './people/operator-access.js';
import { removeRecoveryCodes } from './people/recovery-codes.js';

const INVITATION_GOOD_FOR_MS = 72 * 3_600_000;

type OperatorState = 'active' | 'disabled';

export type Operator = Readonly<{
  id: string;
  email: string;
  name: string;
  roles: readonly Role[];
  /** Those whose orders and listings a broker sees; null for everybody else. */
  sellers: readonly string[] | null;
  state: OperatorState;
  /** Whether signing in needs a code. */
  totp: boolean;
  lastSignInAt: Date | null;
}>;

export type NewOperator = Pick<Operator, 'email' | 'name' | 'roles' | 'sellers'>;
/** An undefined field keeps its value. */
export type OperatorChange = {
  readonly [Field in keyof NewOperator | 'state']?: Operator[Field] | undefined;
};

/** Why nothing was changed. The last administrator must stay, because nobody else could give access again. */
export type OperatorError = 'EMAIL_TAKEN' | 'OPERATOR_UNKNOWN' | 'LAST_ADMINISTRATOR';

/** What sign-in needs. */
export type OperatorCredentials = Operator &
  Readonly<{
    passwordHash: string | null;
    /** Sealed; `totpPending` is one that no code has confirmed yet. */
    totpSecret: Buffer | null;
    totpPending: Buffer | null;
    totpLastStep: number;
  }>;

/** The people of the back office. Removed ones stay in the table, because history names them. */
@Injectable()
export class Operators {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {}

  /** Without removed ones, by name. */
  async list(): Promise<Operator[]> {
    const { rows } = await this.pool.query<OperatorRow>(`${SELECT} where state <> 'removed' order by lower(name), id`);
    return rows.map(operatorOf);
  }

  async find(id: string): Promise<Operator | undefined> {
    const { rows } = await this.pool.query<OperatorRow>(`${SELECT} where id = $1 and state <> 'removed'`, [id]);
    return rows.map(operatorOf)[0];
  }

  /** Undefined unless the operator is active. */
  async credentials(by: { email: string } | { id: string }): Promise<OperatorCredentials | undefined> {
    const [condition, value] = 'email' in by ? ['lower(email) = lower($1)', by.email] : ['id = $1', by.id];
    const { rows } = await this.pool.query<OperatorRow>(`${SELECT} where ${condition} and state = 'active'`, [value]);
    return rows.map((row) => ({
      ...operatorOf(row),
      passwordHash: row.password_hash,
      totpSecret: row.totp_secret,
      totpPending: row.totp_pending,
      totpLastStep: Number(row.totp_last_step),
    }))[0];
  }

  /**
   * @param by the actor who adds
   * @returns the operator, and without a password the token of an invitation to choose one, which is shown only here.
   */
  async add(
    { email, name, roles, sellers }: NewOperator,
    passwordHash: string | undefined,
    by: string,
  ): Promise<{ operator: Operator; invitation: string | undefined } | OperatorError> {
    const id = this.ids.next('opr');
    const invitation = passwordHash === undefined ? newToken(this.randomness, 'wsi_') : undefined;
    const credentials = [
      passwordHash ?? null,
      invitation ? tokenDigest(invitation) : null,
      invitation ? new Date(this.clock.now() + INVITATION_GOOD_FOR_MS) : null,
    ];
    return await inTransaction(this.pool, async (client) => {
      const values = [id, email, name, roles, sellers, ...credentials, this.clock.iso(), by];
      const { rows } = await client.query<OperatorRow>(ADD, values);
      const [row] = rows;
      if (!row) return 'EMAIL_TAKEN';
      await this.noteAccess(client, id, by);
      return { operator: operatorOf(row), invitation };
    });
  }

  /** Adds the first administrator if there has never been an operator, and returns the id. Concurrent calls add one. */
  async addFirst(email: string, name: string, hashPassword: () => Promise<string>): Promise<string | undefined> {
    return await this.alone(async (client) => {
      const { rows } = await client.query<{ is_empty: boolean }>(
        'select not exists (select from operators) as is_empty',
      );
      if (!rows[0]?.is_empty) return undefined;
      const id = this.ids.next('opr');
      const passwordHash = await hashPassword();
      await client.query(ADD, [
        id,
        email,
        name,
        ['administrator'],
        null,
        passwordHash,
        null,
        null,
        this.clock.iso(),
        null,
      ]);
      return id;
    });
  }

  /** Another e-mail address ends the person's other sessions, and is told to both. */
  async change(id: string, change: OperatorChange, by: ChangedBy): Promise<Operator | OperatorError> {
    return await this.alone(async (client) => {
      const found = await client.query<OperatorRow>(`${SELECT} where id = $1 and state <> 'removed'`, [id]);
      const before = found.rows.map(operatorOf)[0];
      if (!before) return 'OPERATOR_UNKNOWN';
      const { email = before.email, name = before.name, roles = before.roles } = change;
      const { sellers = before.sellers, state = before.state } = change;
      const stays = isAdministrator({ roles, state });
      if (isAdministrator(before) && !stays && !(await this.hasOtherAdministrator(client, id))) {
        return 'LAST_ADMINISTRATOR';
      }
      const taken = 'select from operators where lower(email) = lower($1) and id <> $2 and state <> $3';
      if ((await client.query(taken, [email, id, 'removed'])).rowCount) return 'EMAIL_TAKEN';
      const { rows } = await client.query<OperatorRow>(CHANGE, [
        id,
        email,
        name,
        roles,
        sellers,
        state,
        this.clock.iso(),
      ]);
      if (state === 'disabled') await endSessions(client, id);
      if (email !== before.email) {
        await endSessions(client, id, by.session);
        await this.tell(client, { id, emails: [before.email, email], change: 'email' }, by);
      }
      // An OpenID provider knows people by their address.
      if (email.toLowerCase() !== before.email.toLowerCase()) await this.noteAccess(client, id, by.actor);
      return rows.map(operatorOf)[0] ?? 'OPERATOR_UNKNOWN';
    });
  }

  async remove(id: string): Promise<OperatorError | undefined> {
    return await this.alone(async (client) => {
      const found = await client.query<OperatorRow>(`${SELECT} where id = $1 and state <> 'removed'`, [id]);
      const operator = found.rows.map(operatorOf)[0];
      if (!operator) return 'OPERATOR_UNKNOWN';
      if (isAdministrator(operator) && !(await this.hasOtherAdministrator(client, id))) return 'LAST_ADMINISTRATOR';
      await client.query(REMOVE, [id]);
      await client.query('delete from inbox_notices where operator_id = $1', [id]);
      await removeRecoveryCodes(client, id);
      await endSessions(client, id);
      return undefined;
    });
  }

  /** Ends every open invitation of the operator and the other sessions. The person is told. */
  async setPassword(id: string, passwordHash: string, by: ChangedBy): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ email: string }>(SET_PASSWORD, [id, passwordHash]);
      await this.noteAccess(client, id, by.actor);
      await endSessions(client, id, by.session);
      await this.tell(client, { id, emails: rows.map(({ email }) => email), change: 'password' }, by);
    });
  }

  /**
   * Removes password and authenticator app, and ends all sessions.
   * @param by the actor who resets
   * @returns the token of an invitation, good for 72 hours
   */
  async reset(id: string, by: string): Promise<string | undefined> {
    const invitation = newToken(this.randomness, 'wsi_');
    const expiresAt = new Date(this.clock.now() + INVITATION_GOOD_FOR_MS);
    return await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(RESET, [id, tokenDigest(invitation), expiresAt, by]);
      await removeRecoveryCodes(client, id);
      await endSessions(client, id);
      if (rowCount !== 1) return undefined;
      await this.noteAccess(client, id, by);
      return invitation;
    });
  }

  /** Whether the token of an invitation is good. */
  async isInvited(token: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(`select from operators where ${INVITED}`, [
      tokenDigest(token),
      this.clock.iso(),
    ]);
    return rowCount === 1;
  }

  /** The operator whom the invitation is for, once. Undefined for one that is unknown, used or older than 72 hours. */
  async acceptInvitation(token: string, passwordHash: string): Promise<Operator | undefined> {
    return await inTransaction(this.pool, async (client) => {
      const values = [tokenDigest(token), this.clock.iso(), passwordHash];
      const { rows } = await client.query<OperatorRow & { invited_by: string | null }>(ACCEPT, values);
      const [row] = rows;
      // Whoever has made the invitation knows it, and may have accepted it.
      if (row && row.invited_by !== null) await this.noteAccess(client, row.id, row.invited_by);
      return row && operatorOf(row);
    });
  }

  private async tell(
    client: ClientBase,
    { id, emails, change }: Readonly<{ id: string; emails: readonly string[]; change: 'email' | 'password' }>,
    by: ChangedBy,
  ): Promise<void> {
    const rest = { change, at: this.clock.iso(), bySelf: isSelf(id, by) };
    for (const email of emails) await tellOfChange(client, { id: this.ids.next('mai'), email, ...rest });
  }

  private async noteAccess(client: ClientBase, operator: string, by: string): Promise<void> {
    await noteAccess(client, { operator, by, at: this.clock.iso() });
  }

  private async hasOtherAdministrator(client: ClientBase, id: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `select from operators where state = 'active' and 'administrator' = any(roles) and id <> $1 limit 1`,
      [id],
    );
    return rowCount === 1;
  }

  /** Serializes changes of operators: if two administrators remove each other, one stays. */
  private async alone<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return await inTransaction(this.pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('operators', 0))`);
      return await work(client);
    });
  }
}

function isAdministrator({ roles, state }: Pick<Operator, 'roles' | 'state'>): boolean {
  return state === 'active' && roles.includes('administrator');
}

type OperatorRow = {
  id: string;
  email: string;
  name: string;
  roles: Role[];
  sellers: string[] | null;
  state: OperatorState;
  password_hash: string | null;
  totp_secret: Buffer | null;
  totp_pending: Buffer | null;
  totp_last_step: string;
  last_sign_in_at: Date | null;
};

function operatorOf({ id, email, name, roles, sellers, state, totp_secret, last_sign_in_at }: OperatorRow): Operator {
  return { id, email, name, roles, sellers, state, totp: totp_secret !== null, lastSignInAt: last_sign_in_at };
}

const COLUMNS = `id, email, name, roles, sellers, state, password_hash, totp_secret, totp_pending, totp_last_step,
  last_sign_in_at`;
const SELECT = `select ${COLUMNS} from operators`;

const ADD = `
  insert into operators (id, email, name, roles, sellers, state, password_hash, invite_digest, invite_expires_at, created_at,
    invited_by)
  values ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $9, $10)
  on conflict (lower(email)) where state <> 'removed' do nothing
  returning ${COLUMNS}`;

const CHANGE = `
  update operators set email = $2, name = $3, roles = $4, sellers = $5, state = $6,
    enabled_at = case when state <> 'active' and $6 = 'active' then $7 else enabled_at end
  where id = $1 returning ${COLUMNS}`;

const SET_PASSWORD = `
  update operators set password_hash = $2, invite_digest = null, invite_expires_at = null where id = $1 returning email`;

const REMOVE = `
  update operators set state = 'removed', password_hash = null, totp_secret = null, totp_pending = null,
    invite_digest = null, invite_expires_at = null
  where id = $1`;

const RESET = `
  update operators set password_hash = null, totp_secret = null, totp_pending = null, invite_digest = $2,
    invite_expires_at = $3, invited_by = $4
  where id = $1 and state <> 'removed'`;

const INVITED = `invite_digest = $1 and invite_expires_at > $2 and state = 'active'`;

const ACCEPT = `
  update operators set password_hash = $3, invite_digest = null, invite_expires_at = null
  where ${INVITED}
  returning ${COLUMNS}, invited_by`;
