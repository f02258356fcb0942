import type { Parsed } from './config/settings-schema.js';

type Derived =
  | 'ALLOWED_HOSTS'
  | 'DOCS'
  | 'FILES_DIR'
  | 'MAIL_AUTOMATIC'
  | 'LEDGER_ANCHORS'
  | 'OIDC_ROLES'
  | 'OIDC_TRUSTED_DOMAINS'
  | 'OPERATIONS_PORT'
  | 'PUBLIC_URL'
  | 'REQUIRE_HTTPS'
  | 'REQUIRE_TOTP'
  | 'SAMPLE_DATA'
  | 'SANDBOX'
  | 'SMTP_REQUIRE_TLS'
  | 'TRUST_PROXY';
type Values = Omit<Parsed, Derived> & { [name in Derived]-?: Exclude<Parsed[name], undefined> };

export type SettingName = keyof Parsed;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The parsed settings. The class is also the injection token: `{ provide: Settings, useValue: loadSettings() }`. */
export abstract class Settings extends (Object as unknown as abstract new () => Readonly<Values>) {}

/** Only `npm start` and the commands of an administrator use it. */
export const OWNER_ONLY = 'MIGRATION_DATABASE_URL' satisfies SettingName;

/** Whether the built-in platform receives the pings. */
export function usesSandbox({ PLATFORM_URL, SANDBOX }: Pick<Settings, 'PLATFORM_URL' | 'SANDBOX'>): boolean {
  return SANDBOX && PLATFORM_URL === undefined;
}

/** Whether anybody takes payments of any type. */
export function takesPayments(
  settings: Pick<Settings, 'PAYMENT_PROVIDER' | 'PAYMENT_PROVIDER_A' | 'PAYMENT_PROVIDER_B'>,
): boolean {
  const { PAYMENT_PROVIDER, PAYMENT_PROVIDER_A, PAYMENT_PROVIDER_B } = settings;
  return (PAYMENT_PROVIDER ?? PAYMENT_PROVIDER_A ?? PAYMENT_PROVIDER_B) !== undefined;
}

export function platformUrl(settings: Settings): string {
  return settings.PLATFORM_URL ?? `${settings.PUBLIC_URL}/sandbox`;
}
