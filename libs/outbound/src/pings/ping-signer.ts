import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { ClientRegistry } from '#accounts/clients';
import { authorizationHeader, type Signable } from '#base/signature';

export abstract class PingSigner {
  /** Returns an Authorization header that is not in `rejected`, or undefined if the client has no other secret. */
  abstract authorization(
    clientId: string,
    request: Signable,
    rejected?: readonly string[],
  ): Promise<string | undefined>;
}

/** The newest secret comes first, unless the platform has just rejected it: during a rotation only one side may know it. */
@Injectable()
export class ClientSecretSigner extends PingSigner {
  /** For each client, the secret that was used after the platform rejected another one. */
  private readonly preferred = new Map<string, Buffer>();

  constructor(
    @Inject(ClientRegistry) private readonly clients: Pick<ClientRegistry, 'find'>,
    @Inject(Settings) private readonly settings: Pick<Settings, 'CHECKOUT_SCHEME'>,
  ) {
    super();
  }

  async authorization(
    clientId: string,
    request: Signable,
    rejected: readonly string[] = [],
  ): Promise<string | undefined> {
    const secrets = (await this.clients.find(clientId))?.secrets ?? [];
    const preferred = secrets.find((secret) => this.preferred.get(clientId)?.equals(secret));
    for (const secret of preferred ? [preferred, ...secrets] : secrets) {
      const authorization = authorizationHeader(this.settings.CHECKOUT_SCHEME, clientId, { ...request, secret });
      if (rejected.includes(authorization)) continue;
      if (rejected.length > 0) this.preferred.set(clientId, secret);
      return authorization;
    }
    return undefined;
  }
}
