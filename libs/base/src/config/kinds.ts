import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { databaseAddresses } from '../database-address.js';
import { isEmailAddress } from '../email-address.js';
import { redisAddress } from '../redis-address.js';

/** Parsers for setting values. Their messages say what is expected and never quote the value. */

/** Node's timers fire at once if the delay exceeds 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2_147_483_647;

function text<T>(expected: string, read: (value: string) => T | undefined) {
  return z.string().transform((value, context) => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
}

export function integer(least: number, most: number) {
  return text(`a whole number from ${least} to ${most}`, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    return number >= least && number <= most ? number : undefined;
  });
}

export const milliseconds = (least = 1) => integer(least, LONGEST_TIMER_MS);

export const days = (standard: string) => integer(1, 3_650).prefault(standard);

export const dollars = () =>
  text('an amount in USD such as 500 or 499.50', (value) =>
    /^\d{1,9}(\.\d{1,2})?$/.test(value) ? Number(value) : undefined,
  );

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Amounts are in hundredths everywhere, so a currency with other parts has no place. */
export const currency = () =>
  text('a currency with two decimals, such as USD', (value) => {
    if (!CURRENCIES.has(value)) return undefined;
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: value,
    }).resolvedOptions();
    return maximumFractionDigits === 2 ? value : undefined;
  });

export const boolean = () =>
  text('true or false', (value) => (value === 'true' ? true : value === 'false' ? false : undefined));

export const choice = <const T extends readonly string[]>(...words: T) =>
  text(`one of ${words.join(', ')}`, (value): T[number] | undefined => words.find((word) => word === value));

export const matching = (pattern: RegExp, expected: string) =>
  text(expected, (value) => (pattern.test(value) ? value : undefined));

/** Does not check the strength, because platforms issue secrets of any length. */
export const secret = () => matching(/^[!-~]{1,1024}$/, 'visible ASCII characters without spaces');

export const line = () => matching(/^[^\p{Cc}<>]{1,300}$/u, 'at most 300 characters on one line');

export const email = () =>
  text('an e-mail address', (value) => (isEmailAddress(value.trim()) ? value.trim() : undefined));

const NAMED = /^[^\p{Cc}<>]{0,100}<([^<>]*)>$/u;

/** An address, alone or as `Name <address>`. */
export const sender = () =>
  text('an e-mail address, or Name <address>', (value) => {
    const sender = value.trim();
    return isEmailAddress(NAMED.exec(sender)?.[1] ?? sender) ? sender : undefined;
  });

export const password = () => matching(/^[^\p{Cc}]{8,256}$/u, '8 to 256 characters, without control characters');

/** Without a colon, which ends the client id in `Authorization: XX id:signature` and in HTTP Basic. */
export const clientId = () => matching(/^[!-9;-~]{1,128}$/, 'visible ASCII characters without spaces and without ":"');

const isHost = (value: string) => isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value);

export const host = () => text('a host name or an IP address', (value) => (isHost(value) ? value : undefined));

function address(value: string, protocols: readonly string[]): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && protocols.includes(url.protocol) ? url : undefined;
}

/** Removes the trailing slash, because paths are appended to the address. */
export const webAddress = () =>
  text('an http:// or https:// address without user, query and fragment', (value) => {
    const url = address(value, ['http:', 'https:']);
    const bare = url && !url.username && !url.password && !/[?#]/.test(value);
    return bare ? url.href.replace(/\/+$/, '') : undefined;
  });

export const serverAddress = (...schemes: readonly string[]) =>
  text(`an address beginning with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`, (value) =>
    address(
      value,
      schemes.map((scheme) => `${scheme}:`),
    )
      ? value
      : undefined,
  );

const DATABASE_SCHEMES = ['postgres:', 'postgresql:'];

/** Of one server, or of several: `postgres://login@host1:5432,host2:5432/database`. */
export const databaseAddress = (most = Infinity) =>
  text('an address beginning with postgres:// or postgresql://', (value) => {
    const [first, ...others] = databaseAddresses(value);
    return first && others.length < most && DATABASE_SCHEMES.includes(first.protocol) ? value : undefined;
  });

export const redis = () =>
  text(
    'an address such as redis://host:port, rediss://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port',
    (value) => (redisAddress(value) ? value : undefined),
  );

export const readableFile = () =>
  text('the path of a readable file', (value) => (isReadableFile(value) ? value : undefined));

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The folder may be missing. It is created when it is first needed. */
export const folder = () =>
  text('the path of a folder', (value) => {
    try {
      return (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? true) ? value : undefined;
    } catch {
      return undefined;
    }
  });

/** The file may be missing, and it may be a folder. */
/** A program and its arguments. No shell reads it: blanks part the words, and double quotes keep a word with blanks together. */
export const command = () =>
  matching(
    /^(?=.{1,4096}$)\s*(?:"[^"]+"|[^\s"'`$|&;<>\\]+)(?:\s+(?:"[^"]+"|[^\s"'`$|&;<>\\]+))*\s*$/,
    'a program and its arguments, with no signs of a shell but double quotes',
  );

export const path = () => matching(/^[^\0]{1,4096}$/, 'a path');

function entriesOf(value: string): string[] {
  return value.split(',').map((entry) => entry.trim());
}

function list(expected: string, fits: (entry: string) => boolean) {
  return text(`a comma-separated list of ${expected}`, (value) => {
    const entries = entriesOf(value);
    return entries.every(fits) && new Set(entries).size === entries.length ? entries : undefined;
  });
}

/** Some of the words, each at most once, in the order of `words`. `what` names them. */
export const someOf = <const T extends string>(what: string, words: readonly T[]) =>
  text(`a comma-separated list of different ${what}: ${words.join(', ')}`, (value) => {
    const entries = new Set(entriesOf(value));
    const known = words.filter((word) => entries.delete(word));
    return entries.size === 0 && known.length === entriesOf(value).length ? known : undefined;
  });

export const hosts = () => list('host names', isHost);

export const names = () => list('different names', (entry) => /^[\x20-\x7e]{1,64}$/.test(entry));

// As in the contracts, which the hot paths of the api would load with the settings.
const ROLES = ['administrator', 'operations', 'support', 'broker', 'viewer', 'auditor'];
const ROLE_RULE = new RegExp(`^([^=]+=.+|\\*):(${ROLES.join('|')})$`);

export const roles = () => someOf('roles', ROLES);

export const roleRules = () =>
  list(`rules such as groups=help-desk:support or *:viewer, with a role of ${ROLES.join(', ')}`, (entry) =>
    ROLE_RULE.test(entry),
  );

/** As it is written, because an issuer is compared letter by letter. */
export const secureAddress = () =>
  text('an https:// address, or an http:// one of this machine, without user, query and fragment', (value) => {
    const url = address(value, ['http:', 'https:']);
    const isBare = url && !url.username && !url.password && !/[?#]/.test(value);
    const isSafe = url?.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
    return isBare && isSafe ? value : undefined;
  });

export const networks = () =>
  list('IP addresses or networks (10.0.0.0/8)', (entry) => {
    const [ip = '', prefix, ...rest] = entry.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1;
    if (prefix === undefined) return bits > 0;
    return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  });

export const key256 = () => text('base64 of 32 random bytes (openssl rand -base64 32)', keyOf);

export const keys256 = () =>
  text('a comma-separated list of base64 of 32 random bytes', (value) => {
    const keys = value.split(',').map((entry) => keyOf(entry.trim()));
    return keys.every((key) => key !== undefined) ? keys : undefined;
  });

/** Standard Webhooks 1.0. */
export const webhookSecret = () =>
  text('whsec_ and the base64 of 24 to 64 bytes', (value) =>
    value.startsWith('whsec_') && bytesOf(value.slice('whsec_'.length), 24, 64) ? value : undefined,
  );

const keyOf = (value: string) => bytesOf(value, 32, 32);

/** Node decodes base64 leniently, so the text must equal the encoding of its bytes. */
function bytesOf(base64: string, least: number, most: number): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const isWhole = bytes.length >= least && bytes.length <= most && bytes.toString('base64') === base64;
  return isWhole ? bytes : undefined;
}
