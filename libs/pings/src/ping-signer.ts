import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { ClientRegistry } from '#platform-auth/clients';
import { authorizationHeader, type Signable } from '#platform-auth/signature';

/** Signs what we send to the platform. */
export abstract class PingSigner {
  /**
   * The value of the Authorization header, another one than those that the platform has just refused for this request;
   * undefined when the client has no (other) secret to sign with.
   */
  abstract authorization(clientId: string, request: Signable, refused?: readonly string[]): Promise<string | undefined>;
}

/**
 * With a secret of the order's own client, in the scheme in which the platform signs its requests to us. With the newest one first,
 * unless the platform does not know it yet: while a secret is rotated it may be known to either side only.
 */
@Injectable()
export class ClientSecretSigner extends PingSigner {
  /** By client, what was last signed with after the platform had refused another. */
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
    refused: readonly string[] = [],
  ): Promise<string | undefined> {
    const secrets = (await this.clients.find(clientId))?.secrets ?? [];
    const preferred = secrets.find((secret) => this.preferred.get(clientId)?.equals(secret));
    for (const secret of preferred ? [preferred, ...secrets] : secrets) {
      const authorization = authorizationHeader(this.settings.CHECKOUT_SCHEME, clientId, { ...request, secret });
      if (refused.includes(authorization)) continue;
      if (refused.length > 0) this.preferred.set(clientId, secret);
      return authorization;
    }
    return undefined;
  }
}
