import { Command, Option } from 'commander';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { instant } from '#web/instant.contract';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { type ListedToken, StreamTokens } from '#outbound/stream-tokens';
import { recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

const DAY_MS = 86_400_000;

type Output = { json?: boolean };

/** `stream-tokens add|list|revoke`: the tokens that read the ping stream. */
export function streamTokensCommand(
  use: UsePool = poolFor('stream tokens'),
  confirm = confirmed,
  usualDays = () => loadSettings().TOKEN_DAYS,
): Command {
  return new Command('stream-tokens')
    .description('the tokens that read the ping stream; changes take effect within 5 s')
    .addCommand(addCommand(use, usualDays))
    .addCommand(listCommand(use))
    .addCommand(revokeCommand(use, confirm));
}

function addCommand(use: UsePool, usualDays: () => number): Command {
  const expires = new Option(
    '--expires <end>',
    'when it ends: a day (2027-01-31), an instant, a number of days (30d) or never; left out, after TOKEN_DAYS days',
  ).argParser(endOf);
  return new Command('add')
    .description('creates a token and prints it, only once')
    .argument('<name>', 'who it is for')
    .addOption(expires)
    .option('--json', 'print JSON')
    .action(async (name: string, { json, expires: given }: Output & { expires?: Date | 'never' }) => {
      const end = given === 'never' ? null : (given ?? inDays(usualDays()));
      const { id, token } = await use(async (pool) => {
        const issued = await tokensOf(pool).add(name, end);
        if (!issued) throw new UserError('A name is 1 to 200 visible characters.');
        await recordChange(pool, 'stream_token.created', `stream_token:${issued.id}`);
        return issued;
      });
      if (json) printJson({ id, name, token, expires_at: end });
      else
        console.log(
          `token id  ${id}\ntoken     ${token}\nends      ${end?.toISOString() ?? 'never'}\nThe token is not shown again.`,
        );
    });
}

function endOf(given: string): Date | 'never' {
  if (given === 'never') return given;
  const [, days] = /^([1-9]\d{0,3})d$/.exec(given) ?? [];
  if (days !== undefined) return inDays(Number(days));
  const { data } = instant.safeParse(given);
  if (data === undefined)
    throw new UserError(
      '--expires must be a day such as 2027-01-31, an instant, a number of days such as 30d, or never.',
    );
  if (Date.parse(data) <= Date.now()) throw new UserError('--expires must be in the future.');
  return new Date(data);
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists all tokens and when each was last used')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const tokens = await use((pool) => tokensOf(pool).list());
      if (json) printJson(tokens.map(asJson));
      else console.log(tokens.length === 0 ? 'There are no tokens yet.' : tokens.map(asText).join('\n'));
    });
}

function revokeCommand(use: UsePool, confirm: typeof confirmed): Command {
  return new Command('revoke')
    .description('revokes a token for good and ends its live streams; asks first')
    .argument('<token id>', 'see list')
    .option('--yes', 'do not ask; required without a terminal')
    .option('--json', 'print JSON')
    .action(async (id: string, { yes, json }: Output & { yes?: boolean }) => {
      if (!yes) await confirm(`Revoke token ${id}? Requests with it are refused from then on.`);
      await use(async (pool) => {
        if (!(await tokensOf(pool).revoke(id))) throw new UserError('There is no token of this id.');
        await recordChange(pool, 'stream_token.revoked', `stream_token:${id}`);
      });
      if (json) printJson({ id, revoked: true });
      else console.log(`Revoked token ${id}.`);
    });
}

function tokensOf(pool: Pool): StreamTokens {
  return new StreamTokens(pool, new SystemClock(), new TimeOrderedIds(), new SystemRandomness());
}

function printJson(value: object): void {
  console.log(safeJson(value));
}

function asJson({ id, name, createdAt, expiresAt, revokedAt, lastUsedAt }: ListedToken): object {
  return { id, name, created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt, last_used_at: lastUsedAt };
}

function asText({ id, name, createdAt, expiresAt, revokedAt, lastUsedAt }: ListedToken): string {
  const used = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'never used';
  const revoked = revokedAt ? `, revoked ${revokedAt.toISOString()}` : '';
  const end = expiresAt ? `, ends ${expiresAt.toISOString()}` : '';
  return `${id}  ${visible(name)}, made ${createdAt.toISOString()}, ${used}${end}${revoked}`;
}
