import type { Settings } from '#base/settings';

/** Which callers the database already has. */
export type ConfiguredCallers = Readonly<{
  clients: boolean;
  /** Of the payment variant. */
  paymentClients: boolean;
  discoveryKeys: boolean;
  operators: boolean;
}>;

/** One sentence for each address of a real installation that cannot answer anybody yet: what is missing, and what to set. */
export function missingSettings(settings: Settings, configured: ConfiguredCallers, willcall: string): string[] {
  return [
    ...https(settings),
    ...missing(!configured.clients, [
      '/checkout answers 401 to everybody, as there is no platform client: set CHECKOUT_CLIENT_ID and',
      `CHECKOUT_CLIENT_SECRET, or run \`${willcall} clients add\`.`,
    ]),
    ...missing(!configured.discoveryKeys, [
      '/2 answers 403 to everybody, as there is no key: set DISCOVERY_CLIENT_ID, or run',
      `\`${willcall} clients keys add\`.`,
    ]),
    ...missing(!configured.operators, [
      'Nobody can sign in to the back office, as there is no operator: set OPERATOR_EMAIL and OPERATOR_PASSWORD, or run',
      `\`${willcall} operators add\`.`,
    ]),
    ...missing(configured.paymentClients && settings.PAYMENT_PROVIDER === undefined, [
      'Clients of the payment variant cannot buy, and /checkout answers 503 to them, as nobody takes payments: set PAYMENT_PROVIDER.',
      'PAYMENT_PROVIDER=sandbox takes no money, to try it out.',
    ]),
    ...missing(settings.PLATFORM_URL === undefined, [
      'Purchase pings go to the built-in sandbox and to no platform: set PLATFORM_URL.',
    ]),
  ];
}

function https({ REQUIRE_HTTPS, TLS_CERT_FILE, TRUST_PROXY }: Settings): string[] {
  if (!REQUIRE_HTTPS || TLS_CERT_FILE !== undefined) return [];
  if (TRUST_PROXY.length > 0) {
    return ['Only what the proxy of TRUST_PROXY received over HTTPS is answered, everything else gets 403.'];
  }
  return [
    'All addresses but /health answer 403, as HTTPS is required and nothing provides it: set TLS_CERT_FILE and TLS_KEY_FILE, ' +
      'or TRUST_PROXY for a proxy that does, or REQUIRE_HTTPS=false to try it out.',
  ];
}

const missing = (is: boolean, words: readonly string[]) => (is ? [words.join(' ')] : []);
