import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { withDerived } from './config/derived-settings.js';
import { contentErrors } from './config/file-contents.js';
import { SECRET_FILE_NAMES, withoutSecretFiles, withSecretFiles } from './config/secret-files.js';
import { crossFieldErrors, platformErrors, weakSecretErrors } from './config/setting-rules.js';
import { suspectInEnvironment, unknownInFile } from './config/unknown-names.js';
import { type Environment, OWNER_ONLY, type SettingName, type Settings } from './settings.js';
import { type Parsed, schema } from './config/settings-schema.js';

/** The settings that `npm start` requires. PLATFORM_URL stands for a place where pings go: it, or the sandbox. */
export const START_NEEDS: readonly SettingName[] = ['PLATFORM_URL'];

/** The settings that api and worker require. In the demo `npm start` generates them. */
export const SERVICE_NEEDS: readonly SettingName[] = ['DATABASE_URL', 'ENCRYPTION_KEY', ...START_NEEDS];

/** One error per line. Never contains a value. */
export class SettingsError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The settings are invalid:\n${errors.join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** For a program that has to write. @throws SettingsError where READ_ONLY is true */
export function rejectReadOnly({ READ_ONLY }: Pick<Settings, 'READ_ONLY'>): void {
  if (READ_ONLY) throw new SettingsError(['READ_ONLY: must be false here, because only an api can do without writing']);
}

type ReadResult = { values: Partial<Parsed>; errors: string[] };

function readValues(environment: Environment, needs: readonly SettingName[]): ReadResult {
  const errors: string[] = [];
  const invalid = new Set<SettingName>();
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, field] of Object.entries(schema.shape) as [SettingName, z.ZodType][]) {
    const given = environment[name] === '' ? undefined : environment[name];
    const parsed = field.safeParse(given);
    const missing = given === undefined && needs.includes(name) && name !== 'PLATFORM_URL';
    if (parsed.success && !missing) {
      if (parsed.data !== undefined) values[name] = parsed.data;
      continue;
    }
    invalid.add(name);
    errors.push(`${name}: ${missing ? 'must be set' : parsed.error?.issues[0]?.message}`);
  }
  errors.push(...crossFieldErrors(values, invalid));
  if (needs.includes('PLATFORM_URL')) errors.push(...platformErrors(values as Partial<Parsed>, invalid));
  return { values: values as Partial<Parsed>, errors };
}

/**
 * An empty value counts as unset. Unknown names are ignored.
 * @param needs the settings that this process requires
 * @throws SettingsError with all errors
 */
export function parseSettings(environment: Environment, needs: readonly SettingName[] = []): Settings {
  const { values, errors } = readValues(environment, needs);
  if (errors.length > 0) throw new SettingsError(errors);
  return withDerived(values as Parsed);
}

// `npm start` sets this for its services, because it has already checked all settings.
const CHECKED_BY_SUPERVISOR = 'WILLCALL_SETTINGS_CHECKED';

/**
 * The environment wins over `.env` in the working directory. Secrets may be in files (`NAME_FILE`). Also checks for misspelled names, weak secrets and unusable files.
 * @throws SettingsError with all errors
 */
export function loadSettings(needs: readonly SettingName[] = []): Settings {
  if (process.env[CHECKED_BY_SUPERVISOR] !== undefined) return parseSettings(process.env, needs);
  const file = envFile();
  const [saved, given] = [withSecretFiles(file), withSecretFiles(process.env)];
  const { values, errors } = readValues({ ...saved.environment, ...given.environment }, needs);
  errors.push(
    ...saved.errors,
    ...given.errors,
    ...misspellingErrors(file),
    ...weakSecretErrors(values),
    ...contentErrors(values),
  );
  if (errors.length > 0) throw new SettingsError(errors);
  return withDerived(values as Parsed);
}

/** One sentence per name that was probably meant as a setting. */
export function settingWarnings(): string[] {
  if (process.env[CHECKED_BY_SUPERVISOR] !== undefined) return [];
  const ignored = (name: string, where: string) => `${name} in ${where} is not a setting and is ignored`;
  return [
    ...unknownInFile(Object.keys(envFile()), NAMES)
      .filter(({ suggestion }) => suggestion === undefined)
      .map(({ name }) => `${ignored(name, '.env')}.`),
    ...suspectInEnvironment(namesSetIn(process.env), NAMES).map(
      ({ name, suggestion }) => ignored(name, 'the environment') + (suggestion ? `: did you mean ${suggestion}?` : '.'),
    ),
  ];
}

const NAMES = [...Object.keys(schema.shape), ...SECRET_FILE_NAMES];
const namesSetIn = (environment: Environment) => Object.keys(environment).filter((name) => environment[name] !== '');

function envFile(): Environment {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
}

/** An error instead of a warning: otherwise a misspelled DATABASE_URL would start a demo. */
function misspellingErrors(file: Environment): string[] {
  const misspelt = unknownInFile(Object.keys(file), NAMES).filter(({ suggestion }) => suggestion !== undefined);
  return misspelt.map(({ name, suggestion }) => `${name}: is not a setting (in .env), did you mean ${suggestion}?`);
}

/** Includes defaults and derived values. */
export function toEnvironment(settings: Settings): Record<string, string> {
  const texts = Object.entries(settings).map(([name, value]) => [name, toText(value)] as const);
  return Object.fromEntries(texts.filter(([, value]) => value !== ''));
}

/** Our environment plus the resolved settings, without the owner's login. */
export function childEnvironment(settings: Settings): Environment {
  const all = { ...withoutSecretFiles(process.env), ...toEnvironment(settings), [CHECKED_BY_SUPERVISOR]: 'true' };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== OWNER_ONLY));
}

function toText(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  return Array.isArray(value) ? value.map(toText).join(',') : String(value);
}
