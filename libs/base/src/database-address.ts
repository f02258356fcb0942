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
