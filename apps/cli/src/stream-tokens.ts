import { Command, Option } from 'commander';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { instant } from '#web/instant.contract';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import type { ListedToken } from '#accounts/token-store';
import { StreamTokens } from '#outbound/stream-tokens';
import { recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { safeJson, visible } from './terminal/text-table.js';
import { unwrap, UserError } from './terminal/user-error.js';
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
        const issued = unwrap(await tokensOf(pool).add({ name, expiresAt: end }));
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
      if (json) printJson(tokens);
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
        unwrap(await tokensOf(pool).revoke(id));
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

function asText(token: ListedToken<object>): string {
  const { id, name, created_at: made, expires_at: end, revoked_at: revoked, last_used_at: used } = token;
  const dates = [`made ${made}`, used ? `last used ${used}` : 'never used'];
  if (end) dates.push(`ends ${end}`);
  if (revoked) dates.push(`revoked ${revoked}`);
  return `${id}  ${visible(name)}, ${dates.join(', ')}`;
}
