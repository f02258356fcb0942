import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const OPENID_CLIENT = { id: 'willcall', secret: 'secret-of-willcall-at-the-provider' };

type Person = Readonly<{
  email?: string;
  email_verified?: boolean | string | number | undefined;
  name?: string;
  groups?: readonly string[];
}>;

const SCOPES = 'openid email profile groups';

/** A real OpenID provider (oidc-provider). Everybody in `people` signs in with any password and is not asked for consent. */
export class OpenIdDouble {
  /** By subject. */
  readonly people = new Map<string, Person>();

  private constructor(private readonly server: Server) {}

  /** @param redirect where it may send people back to */
  static async start(redirect: string): Promise<OpenIdDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const double = new OpenIdDouble(server);
    const provider = new Provider(double.issuer, {
      clients: [{ client_id: OPENID_CLIENT.id, client_secret: OPENID_CLIENT.secret, redirect_uris: [redirect] }],
      scopes: SCOPES.split(' '),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
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
    server.on('request', (request, response) => void answer(request, response));
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

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
