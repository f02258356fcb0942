/** The settings that the rules below look at. An invalid one is undefined. */
type Values = Readonly<
  Partial<{
    DATABASE_URL: string | undefined;
    PLATFORM_URL: string | undefined;
    SANDBOX: boolean | undefined;
    REQUIRE_HTTPS: boolean | undefined;
    CHECKOUT_CLIENT_SECRET: string | undefined;
    BACKOFFICE_TOKEN: string | undefined;
  }>
>;

const DECIDE_ON_PLATFORM = ['PLATFORM_URL', 'SANDBOX', 'DATABASE_URL', 'REQUIRE_HTTPS'];

/** A process that sends pings must know where they go, and may not send buyers' orders unencrypted where it demands HTTPS itself. */
export function platformErrors(values: Values, invalid: ReadonlySet<string>): string[] {
  if (DECIDE_ON_PLATFORM.some((name) => invalid.has(name))) return [];
  const isReal = values.DATABASE_URL !== undefined;
  if (values.PLATFORM_URL === undefined) {
    if (values.SANDBOX ?? !isReal) return [];
    return ['PLATFORM_URL: must be set, or SANDBOX=true for the built-in platform, which is for trying out'];
  }
  if (!(values.REQUIRE_HTTPS ?? isReal) || values.PLATFORM_URL.startsWith('https://')) return [];
  return ['PLATFORM_URL: must begin with https:// where REQUIRE_HTTPS is true, as it is with DATABASE_URL'];
}

const SECRETS = ['CHECKOUT_CLIENT_SECRET', 'BACKOFFICE_TOKEN'] as const;
const SHORTEST_SECRET = 16;

/** With a real database server this is no demo, and attackers could guess a short secret. */
export function weakSecretErrors(values: Values): string[] {
  if (values.DATABASE_URL === undefined) return [];
  const weak = SECRETS.filter((name) => (values[name]?.length ?? SHORTEST_SECRET) < SHORTEST_SECRET);
  return weak.map((name) => `${name}: must have at least ${SHORTEST_SECRET} characters where DATABASE_URL is set`);
}
