const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * One address for each server that a PostgreSQL address names, as libpq reads it: `postgres://login@host1:5432,host2:5432/database`.
 * @returns nothing if the text is no address
 */
export function databaseAddresses(text: string): readonly URL[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(text) ?? [];
  const names = hosts.split(',');
  const texts = names.length === 1 ? [text] : names.map((host) => before + host + after);
  const isWhole = (names.length === 1 || names.every(Boolean)) && texts.every((each) => URL.canParse(each));
  return isWhole ? texts.map((each) => new URL(each)) : [];
}

/** The servers and the database, without the login: `host1:5432,host2:5432/database`. */
export function databaseLocation(text: string): string {
  const addresses = databaseAddresses(text);
  return addresses.map(({ host }) => host).join(',') + (addresses[0]?.pathname ?? '');
}

/** PostgreSQL refuses whatever would change something, also where it is no standby. */
export const READ_ONLY_SESSION = '-c default_transaction_read_only=on';

/** The address of one server, whose sessions only read. */
export function readOnlyAddress(text: string): string {
  const address = new URL(text);
  const given = address.searchParams.get('options') ?? '';
  if (given.includes(READ_ONLY_SESSION)) return text;
  address.searchParams.set('options', `${given} ${READ_ONLY_SESSION}`.trim());
  return address.href;
}
