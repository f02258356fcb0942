import { SystemRandomness } from '#runtime/randomness';
import type { Settings } from '#config/settings';
import { withCredentials } from '../supervisor/credentials.js';
import { UserError } from '../user-error.js';

/** What a person can say about the service that is called and who calls. */
export type AccessOptions = Readonly<{ url?: string; clientId?: string; secret?: string; scheme?: string }>;

export type Access = Readonly<{ url: string; scheme: string; clientId: string; secret: string }>;

/** Credentials of our own making would be nobody's. */
class NothingMadeUp extends SystemRandomness {
  override bytes(): never {
    throw new UserError(
      'Who calls? Give --client-id and --secret, set CHECKOUT_CLIENT_ID and CHECKOUT_CLIENT_SECRET, or run `npm start` once.',
    );
  }
}

/** What was given, else the settings, else what the demo made up for itself in DATA_DIR. */
export function accessOf(options: AccessOptions, settings: Settings): Access {
  const url = options.url ?? `${settings.PUBLIC_URL}/checkout`;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UserError('--url must be an http:// or https:// address, such as https://tickets.example/checkout');
  }
  const scheme = options.scheme ?? settings.CHECKOUT_SCHEME;
  const { clientId, secret } = options;
  if (clientId !== undefined && secret !== undefined) return { url, scheme, clientId, secret };
  if (clientId !== undefined || secret !== undefined) throw new UserError('--client-id and --secret go together.');
  const { CHECKOUT_CLIENT_ID, CHECKOUT_CLIENT_SECRET } = known(settings);
  return { url, scheme, clientId: CHECKOUT_CLIENT_ID ?? '', secret: CHECKOUT_CLIENT_SECRET ?? '' };
}

function known(settings: Settings): Settings {
  if (settings.CHECKOUT_CLIENT_ID !== undefined) return settings;
  return withCredentials(settings, true, new NothingMadeUp());
}
