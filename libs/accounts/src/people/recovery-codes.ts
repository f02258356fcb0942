import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { tokenDigest } from '#base/token';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { type ChangedBy, isSelf } from './changed-by.js';
import { noteAccess } from './operator-access.js';
import { tellOfChange } from '../account-mails.js';

const COUNT = 10;

// 80 bits: nobody finds a code by its SHA-256, so it needs no slow hash.
const BYTES = 10;

// Without the letters that look like a digit or another letter (Crockford).
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE = new RegExp(`^[${ALPHABET}]{16}$`);

/** Codes that are good once each instead of one of an authenticator app, e.g. after the telephone was lost. Only digests are stored. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {}

  /** Ten new codes, which are shown only here. Earlier ones are no longer good. @param client of the transaction that it is part of */
  async issue(client: ClientBase, operatorId: string): Promise<string[]> {
    const codes = Array.from({ length: COUNT }, () => codeOf(this.randomness.bytes(BYTES)));
    await removeRecoveryCodes(client, operatorId);
    await client.query('insert into recovery_codes (operator_id, digest) select $1, unnest($2::bytea[])', [
      operatorId,
      codes.map((code) => digestOf(code)),
    ]);
    return codes;
  }

  /** The same for somebody who has an authenticator app, and is told. Undefined for anybody else. */
  async renew(operatorId: string, by: ChangedBy): Promise<string[] | undefined> {
    return await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ email: string }>(
        `select email from operators where id = $1 and totp_secret is not null and state = 'active' for update`,
        [operatorId],
      );
      const [operator] = rows;
      if (!operator) return undefined;
      const codes = await this.issue(client, operatorId);
      const mail = { ...this.#mail(operator.email), bySelf: isSelf(operatorId, by) };
      await noteAccess(client, { operator: operatorId, by: by.actor, at: mail.at });
      await tellOfChange(client, { ...mail, change: 'recovery_codes' });
      return codes;
    });
  }

  /** Returns whether the code was good, and uses it up; of two concurrent calls one gets false. The person is told. */
  async use({ id, email }: Readonly<{ id: string; email: string }>, code: string): Promise<boolean> {
    const digest = digestOf(code);
    if (!digest) return false;
    return await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query('delete from recovery_codes where operator_id = $1 and digest = $2', [
        id,
        digest,
      ]);
      if (rowCount !== 1) return false;
      await tellOfChange(client, { ...this.#mail(email), change: 'recovery_code_used' });
      return true;
    });
  }

  /** How many are left. */
  async left(operatorId: string): Promise<number> {
    const { rows } = await this.pool.query<{ left: number }>(
      'select count(*)::int as left from recovery_codes where operator_id = $1',
      [operatorId],
    );
    return rows[0]?.left ?? 0;
  }

  #mail(email: string) {
    return { id: this.ids.next('mai'), email, at: this.clock.iso(), bySelf: true };
  }
}

export async function removeRecoveryCodes(client: ClientBase, operatorId: string): Promise<void> {
  await client.query('delete from recovery_codes where operator_id = $1', [operatorId]);
}

/** Four groups of four characters. */
function codeOf(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]);
  return characters.join('').replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** Of a code as people type it: with other letters for the same, with or without signs between. Undefined if it cannot be one. */
function digestOf(typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return CODE.test(code) ? tokenDigest(code) : undefined;
}
