import { distance } from 'fastest-levenshtein';

/** A variable that is no setting; `meant` is the setting that its name resembles. */
export type UnknownName = Readonly<{ name: string; meant: string | undefined }>;

/** What docker-compose.yml itself takes from the same `.env`. */
export const COMPOSE_NAMES: readonly string[] = ['POSTGRES_PASSWORD', 'HTTP_PORT', 'HTTPS_PORT', 'SUBNET'];

/** Nobody else names variables like this, so whatever begins so was meant for us. */
const OUR_PREFIX = /^(?:PING|CHECKOUT|DISCOVERY|BACKOFFICE|WEBHOOK|POPULARITY)_/;

/** Every name of a `.env` file that is no setting. The file is for Willcall alone. */
export function unknownInFile(names: readonly string[], settings: readonly string[]): UnknownName[] {
  const unknown = names.filter((name) => !settings.includes(name) && !COMPOSE_NAMES.includes(name));
  return unknown.map((name) => ({ name, meant: nearest(name, settings) }));
}

/**
 * Names of the environment that look like a misspelt setting. It is full of other programs' variables, so a name counts
 * only when it resembles a setting that is not set, or begins as only ours do.
 */
export function suspectInEnvironment(names: readonly string[], settings: readonly string[]): UnknownName[] {
  const unset = settings.filter((setting) => !names.includes(setting));
  return names
    .filter((name) => !settings.includes(name))
    .map((name) => ({ name, meant: nearest(name, unset) }))
    .filter(({ name, meant }) => meant !== undefined || OUR_PREFIX.test(name));
}

function nearest(name: string, settings: readonly string[]): string | undefined {
  const written = name.toUpperCase().replaceAll('-', '_');
  const near = settings
    .map((setting) => ({ setting, slips: distance(written, setting) }))
    // One slip in four letters: HOST is not HOME.
    .filter(({ setting, slips }) => slips <= Math.min(2, Math.floor(setting.length / 4)));
  return near.toSorted((one, other) => one.slips - other.slips)[0]?.setting;
}
