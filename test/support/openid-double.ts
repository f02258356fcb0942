import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const OPENID_CLIENT = { id: 'willcall', secret: 'secret-of-willcall-at-the-provider' };

type Person = Readonly<{
  email?: string;
  email_verified?: boolean | string | number | undefined;
  name?: string;
  groups?: readonly string[];
  /** When the session is to end, in seconds since 1970. */
  session_expiry?: number;
}>;

const ALGORITHM = 'RS256';
const KEY_ID = 'key-of-the-double';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const SCOPES = 'openid email profile groups';

/** A real OpenID provider (oidc-provider). Everybody in `people` signs in with any password and is not asked for consent. */
export class OpenIdDouble {
  /** By subject. */
  readonly people = new Map<string, Person>();

  /** Set this to publish another key of the same id than the one it signs with. */
  publishesOtherKey = false;

  private constructor(
    private readonly server: Server,
    private readonly key: JWK,
  ) {}

  /** @param redirect where it may send people back to */
  static async start(redirect: string): Promise<OpenIdDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [double, other] = [new OpenIdDouble(server, await newKey()), await newKey()];
    const provider = new Provider(double.issuer, {
      clients: [
        {
          client_id: OPENID_CLIENT.id,
          client_secret: OPENID_CLIENT.secret,
          redirect_uris: [redirect],
          backchannel_logout_uri: 'https://tickets.example/logout',
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [double.key] },
      features: { backchannelLogout: { enabled: true } },
      scopes: SCOPES.split(' '),
      claims: {
        openid: ['sub', 'session_expiry'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      cookies: { keys: ['a key of the test'] },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...double.people.get(sub) }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          ...(oidc.client && { clientId: oidc.client.clientId }),
          ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
        });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url !== '/jwks' || !double.publishesOtherKey) return void answer(request, response);
      const { kty, n, e } = other;
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ keys: [{ kty, n, e, kid: KEY_ID }] }));
    });
    return double;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Signs somebody in, as their browser would. @returns the address that the browser is sent back to */
  async signIn(address: string, subject: string): Promise<string> {
    const cookies = new Map<string, string>();
    const visit = async (url: string, form?: Readonly<Record<string, string>>): Promise<string> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
      return new URL(location, url).href;
    };
    const login = await visit(address);
    return await visit(await visit(login, { prompt: 'login', login: subject, password: 'any' }));
  }

  /**
   * A token that says that somebody is signed out. Claims that are given replace the right ones; undefined leaves them out.
   * @param options.key another one than that of the provider
   */
  async logoutToken(
    claims: Readonly<Record<string, unknown>>,
    { typ = 'logout+jwt', key = this.key }: Readonly<{ typ?: string; key?: JWK }> = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const standard = { iss: this.issuer, aud: OPENID_CLIENT.id, iat: now, exp: now + 120, jti: randomUUID() };
    const token = new SignJWT({ ...standard, events: { [LOGOUT_EVENT]: {} }, ...claims });
    return await token.setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ }).sign(key);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A private key, with the id that all of them have. */
export async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' };
}
