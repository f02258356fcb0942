import type { ClientRegistry } from '#platform-auth/clients';
import { authorizationHeader, type Signable } from '#platform-auth/signature';

/** Signs what we send to the platform. */
export abstract class PingSigner {
  /** The value of the Authorization header; undefined when the client has no secret to sign with. */
  abstract authorization(clientId: string, request: Signable): Promise<string | undefined>;
}

/** With the newest secret of the order's own client, in the scheme in which the platform signs its requests to us. */
export class ClientSecretSigner extends PingSigner {
  constructor(
    private readonly clients: Pick<ClientRegistry, 'find'>,
    private readonly scheme: string,
  ) {
    super();
  }

  async authorization(clientId: string, request: Signable): Promise<string | undefined> {
    const secret = (await this.clients.find(clientId))?.secrets[0];
    return secret && authorizationHeader(this.scheme, clientId, { ...request, secret });
  }
}
