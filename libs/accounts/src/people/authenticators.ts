import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { type AccountChange, tellOfChange } from '../account-mails.js';
import { type ChangedBy, endSessions, isSelf } from './changed-by.js';
import { noteAccess } from './operator-access.js';
import { RecoveryCodes, removeRecoveryCodes } from './recovery-codes.js';

type Confirmed = Readonly<{ id: string; sealedSecret: Buffer; /** Of the code that confirmed it. */ step: number }>;

/** The secrets of authenticator apps, sealed. A change ends the person's other sessions, and the person is told. */
@Injectable()
export class Authenticators {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** The secret in use stays until a code of the new one is confirmed. */
  async start(id: string, sealedSecret: Buffer): Promise<void> {
    await this.pool.query('update operators set totp_pending = $2 where id = $1', [id, sealedSecret]);
  }

  /** @returns new recovery codes; undefined if the secret is not the pending one */
  async confirm({ id, sealedSecret, step }: Confirmed, by: ChangedBy): Promise<string[] | undefined> {
    return await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ email: string }>(CONFIRM, [id, sealedSecret, step]);
      const [confirmed] = rows;
      if (!confirmed) return undefined;
      await this.#changed(client, { id, email: confirmed.email, change: 'authenticator' }, by);
      return await this.recoveryCodes.issue(client, id);
    });
  }

  /** From then on sign-in needs no code, e.g. because the telephone was lost. Returns whether there is such an operator. */
  async remove(id: string, by: ChangedBy): Promise<boolean> {
    return await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ email: string; had: boolean }>(REMOVE, [id]);
      const [removed] = rows;
      if (!removed) return false;
      await removeRecoveryCodes(client, id);
      if (removed.had) await this.#changed(client, { id, email: removed.email, change: 'authenticator_removed' }, by);
      return true;
    });
  }

  /** Uses up a code's time step. Returns whether it was unused; of two concurrent calls one gets false. */
  async useStep(id: string, step: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update operators set totp_last_step = $2 where id = $1 and totp_last_step < $2',
      [id, step],
    );
    return rowCount === 1;
  }

  async #changed(
    client: ClientBase,
    { id, email, change }: Readonly<{ id: string; email: string; change: AccountChange }>,
    by: ChangedBy,
  ): Promise<void> {
    const at = this.clock.iso();
    await noteAccess(client, { operator: id, by: by.actor, at });
    await endSessions(client, id, by.session);
    await tellOfChange(client, { id: this.ids.next('mai'), email, change, at, bySelf: isSelf(id, by) });
  }
}

const CONFIRM = `
  update operators set totp_secret = $2, totp_pending = null, totp_last_step = $3
  where id = $1 and totp_pending = $2
  returning email`;

const REMOVE = `
  update operators o set totp_secret = null, totp_pending = null
  from (select id, totp_secret is not null as had from operators where id = $1 and state <> 'removed' for update) as before
  where o.id = before.id
  returning o.email, before.had`;
