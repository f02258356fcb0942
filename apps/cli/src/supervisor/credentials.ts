import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SystemRandomness, type Randomness } from '#runtime/randomness';
import type { Settings } from '#config/settings';
import { withDirectoryLock } from '#database/directory-lock';
import { UserError } from '../user-error.js';
import { changeSettings } from './change-settings.js';

type Secrets = Partial<Record<string, string>>;

const word = (bytes: Buffer) => bytes.toString('base64url');
const MADE_UP = {
  CHECKOUT_CLIENT_ID: (chance: Randomness) => `demo-${chance.bytes(4).toString('hex')}`,
  CHECKOUT_CLIENT_SECRET: (chance: Randomness) => word(chance.bytes(32)),
  DISCOVERY_CLIENT_ID: (chance: Randomness) => word(chance.bytes(16)),
  BACKOFFICE_TOKEN: (chance: Randomness) => word(chance.bytes(32)),
  ENCRYPTION_KEY: (chance: Randomness) => chance.bytes(32).toString('base64'),
} as const;
type Name = keyof typeof MADE_UP;

export const secretsFile = (settings: Settings): string => join(settings.DATA_DIR, 'secrets.json');

/**
 * The settings with what is generated once and kept in DATA_DIR/secrets.json, readable by its owner alone: in the demo
 * all credentials, with a DATABASE_URL the encryption key only. What is set already wins and is not kept.
 */
export function withCredentials(
  settings: Settings,
  isDemo: boolean,
  chance: Randomness = new SystemRandomness(),
): Settings {
  const unset = unsetNames(settings, isDemo);
  if (unset.length === 0) return settings;

  const file = secretsFile(settings);
  const kept = readSecrets(file);
  const missing = unset.filter((name) => kept[name] === undefined);
  const made = Object.fromEntries(missing.map((name) => [name, MADE_UP[name](chance)]));
  if (missing.length > 0) writeSecrets(file, { ...kept, ...made });
  if (missing.includes('ENCRYPTION_KEY')) {
    console.error(
      `Willcall: a new ENCRYPTION_KEY is kept in ${file}. Keep a copy: what it has encrypted cannot be read without it.`,
    );
  }
  const taken = Object.fromEntries(unset.map((name) => [name, made[name] ?? kept[name]]));
  return changeSettings(settings, taken);
}

/** The same for a start: of several at once on one DATA_DIR one makes the secrets, and the others take them. */
export async function claimCredentials(settings: Settings, isDemo: boolean): Promise<Settings> {
  // Without this a start that needs no DATA_DIR would make one.
  if (unsetNames(settings, isDemo).length === 0) return settings;
  const file = secretsFile(settings);
  return withDirectoryLock(file, async () => {
    removeUnfinished(file);
    return withCredentials(settings, isDemo);
  });
}

function unsetNames(settings: Settings, isDemo: boolean): Name[] {
  const wanted: Name[] = isDemo ? (Object.keys(MADE_UP) as Name[]) : ['ENCRYPTION_KEY'];
  return wanted.filter((name) => settings[name] === undefined);
}

/** Where the encryption key is kept; undefined where the settings have one. */
export function keyFileOf(given: Settings): string | undefined {
  return given.ENCRYPTION_KEY === undefined ? resolve(secretsFile(given)) : undefined;
}

/** What DATA_DIR/secrets.json keeps; empty without the file. */
export function keptSecrets(settings: Settings): Secrets {
  return readSecrets(secretsFile(settings));
}

/** The settings with what is kept already: nothing is made up, and what is not there stays unset. */
export function withKnownCredentials(settings: Settings, isDemo: boolean): Settings {
  const kept = keptSecrets(settings);
  const names: Name[] = isDemo ? (Object.keys(MADE_UP) as Name[]) : ['ENCRYPTION_KEY'];
  const known = names.filter((name) => settings[name] === undefined && kept[name] !== undefined);
  return changeSettings(settings, Object.fromEntries(known.map((name) => [name, kept[name]])));
}

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (error) {
    // Not the parser's message: it quotes its input.
    if (error instanceof SyntaxError)
      throw new UserError(`${file} is not JSON: put it right, or restore a copy of it.`);
    throw error;
  }
}

/** What killed starts have left; call it under the lock, where nobody is writing. */
function removeUnfinished(file: string): void {
  const isLeft = /^secrets\.json\.\d+$/;
  for (const name of readdirSync(dirname(file)).filter((name) => isLeft.test(name))) rmSync(join(dirname(file), name));
}

/** Whole or not at all: half a file would cost the key. */
function writeSecrets(file: string, secrets: Secrets): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}
