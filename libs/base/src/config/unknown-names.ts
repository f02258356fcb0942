import { distance } from 'fastest-levenshtein';

/** `suggestion` is the setting with a similar name. */
export type UnknownName = Readonly<{ name: string; suggestion: string | undefined }>;

/** Variables of docker-compose.yml in the same `.env`. */
export const COMPOSE_NAMES: readonly string[] = [
  'POSTGRES_PASSWORD',
  'MIGRATION_DATABASE_PASSWORD',
  'SERVICE_DATABASE_PASSWORD',
  'REDIS_PASSWORD',
  'HTTP_PORT',
  'HTTPS_PORT',
  'SUBNET',
  'PROXY_IMAGE',
  'POSTGRES_IMAGE',
  'REDIS_IMAGE',
  'NODE_DIGEST',
];

/** Other programs do not use these prefixes, so such a variable was meant for us. */
const OUR_PREFIX = /^(?:PING|CHECKOUT|DISCOVERY|BACKOFFICE|WEBHOOK|POPULARITY)_/;

/** Only Willcall uses the `.env` file, so all unknown names count. */
export function unknownInFile(names: readonly string[], settings: readonly string[]): UnknownName[] {
  const unknown = names.filter((name) => !settings.includes(name) && !COMPOSE_NAMES.includes(name));
  return unknown.map((name) => ({ name, suggestion: nearest(name, settings) }));
}

/**
 * The environment contains variables of other programs, so a name counts only if it resembles an unset setting or has one of our prefixes.
 */
export function suspectInEnvironment(names: readonly string[], settings: readonly string[]): UnknownName[] {
  const unset = settings.filter((setting) => !names.includes(setting));
  return names
    .filter((name) => !settings.includes(name))
    .map((name) => ({ name, suggestion: nearest(name, unset) }))
    .filter(({ name, suggestion }) => suggestion !== undefined || OUR_PREFIX.test(name));
}

function nearest(name: string, settings: readonly string[]): string | undefined {
  const written = name.toUpperCase().replaceAll('-', '_');
  const near = settings
    .map((setting) => ({ setting, edits: distance(written, setting) }))
    // One edit per four letters, so HOME is not taken for HOST.
    .filter(({ setting, edits }) => edits <= Math.min(2, Math.floor(setting.length / 4)));
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.setting;
}
