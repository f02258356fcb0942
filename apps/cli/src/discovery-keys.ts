import { Command, InvalidArgumentError } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import type { DiscoveryKey } from '#accounts/discovery-key.contract';
import { DiscoveryKeys } from '#accounts/discovery-keys';
import { recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { safeJson, visible } from './terminal/text-table.js';
import { unwrap, UserError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

type Output = { json?: boolean };
type Rights = { rate?: number; perPage?: number };

// As long as the API's default.
const OVERLAP_HOURS = 24;
const MOST_OVERLAP_HOURS = 30 * 24;
const HOUR_MS = 3_600_000;

/** `clients keys add|change|list|rotate|revoke`: the keys of the public discovery API. */
export function keysCommand(use: UsePool = poolFor('discovery keys'), confirm = confirmed): Command {
  return new Command('keys')
    .description('the keys of the public discovery API; changes take effect within 5 s')
    .addCommand(addCommand(use))
    .addCommand(changeCommand(use))
    .addCommand(listCommand(use))
    .addCommand(rotateCommand(use))
    .addCommand(revokeCommand(use, confirm));
}

function addCommand(use: UsePool): Command {
  return new Command('add')
    .description('creates a key and prints it')
    .argument('<name>', 'who it is for')
    .option('--id <client id>', 'default: a random one')
    .option('--rate <number>', 'requests a second; default: DISCOVERY_RATE_PER_SECOND', wholeNumber)
    .option('--per-page <number>', 'the most documents a page, to 5000; default: 500', wholeNumber)
    .option('--with-secret', 'also creates a secret and prints it, only once; requests must then send it')
    .option('--json', 'print JSON')
    .action(async (name: string, options: Output & Rights & { id?: string; withSecret?: boolean }) => {
      const { id: clientId, rate: ratePerSecond, perPage: maxPerPage, withSecret, json } = options;
      const key = { clientId, name, ratePerSecond, maxPerPage, withSecret };
      const { secret, ...issued } = await use(async (pool) => {
        const issued = unwrap(await keysOf(pool).create(key));
        await recordChange(pool, 'key.created', `key:${issued.clientId}`);
        return issued;
      });
      if (json) return printJson({ client_id: issued.clientId, ...(secret && { client_secret: secret }) });
      console.log(`client id  ${issued.clientId}`);
      if (secret) console.log(`secret     ${secret}\nThe secret is not shown again.`);
    });
}

function changeCommand(use: UsePool): Command {
  return new Command('change')
    .description('changes what a key may do')
    .argument('<client id>')
    .option('--rate <number>', 'requests a second', wholeNumber)
    .option('--per-page <number>', 'the most documents a page, to 5000', wholeNumber)
    .option('--json', 'print JSON')
    .action(async (clientId: string, { rate: ratePerSecond, perPage: maxPerPage, json }: Output & Rights) => {
      if (ratePerSecond === undefined && maxPerPage === undefined) {
        throw new UserError('Say what to change: --rate or --per-page.');
      }
      await use(async (pool) => {
        unwrap(await keysOf(pool).change(clientId, { ratePerSecond, maxPerPage }));
        await recordChange(pool, 'key.changed', `key:${clientId}`);
      });
      if (json) printJson({ client_id: clientId, changed: true });
      else console.log(`Changed key ${clientId}.`);
    });
}

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists all keys and how much each was used in the last 30 days')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const keys = await use((pool) => keysOf(pool).list());
      if (json) printJson(keys);
      else console.log(keys.length === 0 ? 'There are no keys yet.' : keys.map(asText).join('\n'));
    });
}

function rotateCommand(use: UsePool): Command {
  return new Command('rotate')
    .description(
      'gives a key that has a secret a new one and prints it, only once; the earlier one stays valid for a while',
    )
    .argument('<client id>')
    .option('--overlap <hours>', 'how long the earlier secret stays valid', overlapHours, OVERLAP_HOURS)
    .option('--json', 'print JSON')
    .action(async (clientId: string, { overlap, json }: Output & { overlap: number }) => {
      const { secret } = await use(async (pool) => {
        const issued = unwrap(await keysOf(pool).rotate(clientId, overlap * HOUR_MS));
        await recordChange(pool, 'key.rotated', `key:${clientId}`);
        return issued;
      });
      if (json) return printJson({ client_id: clientId, client_secret: secret });
      console.log(`client id  ${clientId}\nsecret     ${secret}\nThe secret is not shown again.`);
      console.log(overlap === 0 ? 'The earlier one has ended.' : `The earlier one stays valid for ${overlap} h.`);
    });
}

function revokeCommand(use: UsePool, confirm: typeof confirmed): Command {
  return new Command('revoke')
    .description('revokes a key for good; asks first')
    .argument('<client id>')
    .option('--yes', 'do not ask; required without a terminal')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { yes, json }: Output & { yes?: boolean }) => {
      if (!yes) await confirm(`Revoke key ${clientId}? Requests with it are refused from then on.`);
      await use(async (pool) => {
        unwrap(await keysOf(pool).revoke(clientId));
        await recordChange(pool, 'key.revoked', `key:${clientId}`);
      });
      if (json) printJson({ client_id: clientId, revoked: true });
      else console.log(`Revoked key ${clientId}.`);
    });
}

function keysOf(pool: Pool): DiscoveryKeys {
  return new DiscoveryKeys(pool, new SystemClock(), new SystemRandomness());
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function overlapHours(text: string): number {
  const hours = wholeNumber(text);
  if (hours <= MOST_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`It must be at most ${MOST_OVERLAP_HOURS} hours.`);
}

function printJson(value: object): void {
  console.log(safeJson(value));
}

function asText(key: DiscoveryKey): string {
  const requests = key.usage.reduce((sum, day) => sum + day.requests, 0);
  const throttled = key.usage.reduce((sum, day) => sum + day.throttled, 0);
  return [
    `${key.client_id}  ${visible(key.name)}`,
    ...(key.rate_per_second === null ? [] : [`${key.rate_per_second} a second`]),
    `${key.max_per_page} a page`,
    `made ${key.created_at}`,
    ...(key.revoked_at === null ? [] : [`revoked ${key.revoked_at}`]),
    `${requests} requests in 30 days${throttled > 0 ? `, ${throttled} of them too many` : ''}`,
  ].join(', ');
}
