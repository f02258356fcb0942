import type { Settings } from '#base/settings';
import { withSavedCredentials } from '../supervisor/credentials.js';
import { UserError } from '../terminal/user-error.js';

/** Options that name the service and the caller. */
export type AccessOptions = Readonly<{ url?: string; clientId?: string; secret?: string; scheme?: string }>;

export type Access = Readonly<{ url: string; scheme: string; clientId: string; secret: string }>;

/** The options, else the settings, else the generated credentials of the demo in DATA_DIR. */
export function resolveAccess(options: AccessOptions, settings: Settings): Access {
  const url = options.url ?? `${settings.PUBLIC_URL}/checkout`;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UserError('--url must be an http:// or https:// address, such as https://tickets.example/checkout');
  }
  const scheme = options.scheme ?? settings.CHECKOUT_SCHEME;
  const { clientId, secret } = options;
  if (clientId !== undefined && secret !== undefined) return { url, scheme, clientId, secret };
  if (clientId !== undefined || secret !== undefined) throw new UserError('--client-id and --secret go together.');
  // Generates nothing: random credentials would belong to no client.
  const saved = settings.CHECKOUT_CLIENT_ID === undefined ? withSavedCredentials(settings, true) : settings;
  const { CHECKOUT_CLIENT_ID, CHECKOUT_CLIENT_SECRET } = saved;
  if (CHECKOUT_CLIENT_ID === undefined || CHECKOUT_CLIENT_SECRET === undefined) {
    throw new UserError(
      'Who calls? Give --client-id and --secret, set CHECKOUT_CLIENT_ID and CHECKOUT_CLIENT_SECRET, or run `npm start` once.',
    );
  }
  return { url, scheme, clientId: CHECKOUT_CLIENT_ID, secret: CHECKOUT_CLIENT_SECRET };
}
