import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SystemRandomness, type Randomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import { makeDataFolder } from '#database/data-folder';
import { withDirectoryLock } from '#database/directory-lock';
import { parseJson } from '#base/json';
import { UserError } from '../terminal/user-error.js';
import { changeSettings } from './change-settings.js';

type Secrets = Partial<Record<string, string>>;

const word = (bytes: Buffer) => bytes.toString('base64url');
const GENERATORS = {
  CHECKOUT_CLIENT_ID: (randomness: Randomness) => `demo-${randomness.bytes(4).toString('hex')}`,
  CHECKOUT_CLIENT_SECRET: (randomness: Randomness) => word(randomness.bytes(32)),
  DISCOVERY_CLIENT_ID: (randomness: Randomness) => word(randomness.bytes(16)),
  BACKOFFICE_TOKEN: (randomness: Randomness) => word(randomness.bytes(32)),
  OPERATOR_EMAIL: () => 'admin@example.com',
  // A byte gives more than one character.
  OPERATOR_PASSWORD: (randomness: Randomness, { PASSWORD_MIN_LENGTH: least }: Settings) =>
    word(randomness.bytes(Math.max(12, least))),
  ENCRYPTION_KEY: (randomness: Randomness) => randomness.bytes(32).toString('base64'),
} as const;
type Name = keyof typeof GENERATORS;

export const secretsFile = (settings: Settings): string => join(settings.DATA_DIR, 'secrets.json');

/**
 * The settings with secrets that are generated once and saved in DATA_DIR/secrets.json, readable only by its owner. The demo
 * generates all credentials; with a DATABASE_URL only the encryption key. Values that are set win and are not saved.
 */
export function withCredentials(
  settings: Settings,
  isDemo: boolean,
  randomness: Randomness = new SystemRandomness(),
): Settings {
  const unset = unsetNames(settings, isDemo);
  if (unset.length === 0) return settings;

  const file = secretsFile(settings);
  const saved = readSecrets(file);
  const missing = unset.filter((name) => saved[name] === undefined);
  const generated = Object.fromEntries(missing.map((name) => [name, GENERATORS[name](randomness, settings)]));
  if (missing.length > 0) writeSecrets(file, { ...saved, ...generated });
  if (missing.includes('ENCRYPTION_KEY')) {
    console.error(
      `Willcall: a new ENCRYPTION_KEY is kept in ${file}. Keep a copy: what it has encrypted cannot be read without it.`,
    );
  }
  const added = Object.fromEntries(unset.map((name) => [name, generated[name] ?? saved[name]]));
  return changeSettings(settings, { ...added, ...previousKey(settings, unset, saved) });
}

/** The key before the one that the file has, as long as the file has it too. */
function previousKey(settings: Settings, fromFile: readonly Name[], saved: Secrets): Secrets {
  const previous = saved['ENCRYPTION_KEY_PREVIOUS'];
  const isWanted = fromFile.includes('ENCRYPTION_KEY') && settings.ENCRYPTION_KEY_PREVIOUS === undefined;
  return isWanted && previous !== undefined ? { ENCRYPTION_KEY_PREVIOUS: previous } : {};
}

/** Does the same for a start. Of several concurrent starts on one DATA_DIR one generates the secrets, and the others use them. */
export async function claimCredentials(settings: Settings, isDemo: boolean): Promise<Settings> {
  // A start that needs no DATA_DIR must not create one.
  if (unsetNames(settings, isDemo).length === 0) return settings;
  const file = secretsFile(settings);
  return withDirectoryLock(file, async () => {
    removeTemporaryFiles(file);
    return withCredentials(settings, isDemo);
  });
}

function unsetNames(settings: Settings, isDemo: boolean): Name[] {
  const wanted: Name[] = isDemo ? (Object.keys(GENERATORS) as Name[]) : ['ENCRYPTION_KEY'];
  return wanted.filter((name) => settings[name] === undefined);
}

/** Where the encryption key is saved; undefined if the settings have one. */
export function keyFileOf(given: Settings): string | undefined {
  return given.ENCRYPTION_KEY === undefined ? resolve(secretsFile(given)) : undefined;
}

/** The contents of DATA_DIR/secrets.json; empty without the file. */
export function savedSecrets(settings: Settings): Secrets {
  return readSecrets(secretsFile(settings));
}

/** The settings with the saved secrets. Generates nothing. */
export function withSavedCredentials(settings: Settings, isDemo: boolean): Settings {
  const saved = savedSecrets(settings);
  const names: Name[] = isDemo ? (Object.keys(GENERATORS) as Name[]) : ['ENCRYPTION_KEY'];
  const present = names.filter((name) => settings[name] === undefined && saved[name] !== undefined);
  const added = Object.fromEntries(present.map((name) => [name, saved[name]]));
  return changeSettings(settings, { ...added, ...previousKey(settings, present, saved) });
}

/** Saves a new encryption key, and the present one as the previous. Call it under the lock of the file. */
export function rotateSavedKey(settings: Settings, randomness: Randomness = new SystemRandomness()): void {
  const file = secretsFile(settings);
  const saved = readSecrets(file);
  const keys = {
    ENCRYPTION_KEY: GENERATORS.ENCRYPTION_KEY(randomness),
    ENCRYPTION_KEY_PREVIOUS: saved['ENCRYPTION_KEY'],
  };
  writeSecrets(file, { ...saved, ...keys });
}

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    return parseJson(readFileSync(file, 'utf8')) as Secrets;
  } catch (error) {
    // The parser's message would quote the secrets.
    if (error instanceof SyntaxError)
      throw new UserError(`${file} is not valid JSON: correct it, or restore a copy of it.`);
    throw error;
  }
}

/** Removes temporary files of killed starts. Call it under the lock, so that nobody is writing. */
function removeTemporaryFiles(file: string): void {
  const isTemporary = /^secrets\.json\.\d+$/;
  for (const name of readdirSync(dirname(file)).filter((name) => isTemporary.test(name)))
    rmSync(join(dirname(file), name));
}

/** Writes atomically: half a file would lose the key. */
function writeSecrets(file: string, secrets: Secrets): void {
  makeDataFolder(dirname(file));
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, file);
}
