import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { MAX_LIVE_SECRETS, type PlatformClient, type Variant } from './platform-client.js';
import { type Credentials, parseAuthorization, type Signable, signedPath, signingKey, verify } from '#base/signature';

export type ReceivedRequest = Readonly<{
  method: string;
  rawUrl: string;
  /** Names and values alternate, as in Node. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}>;

export type VerifiedClient = Readonly<{ clientId: string; variant: Variant; requireRefId: boolean }>;

/** Stands in for missing secrets, so every failed check takes the same time. */
const NO_SECRET = signingKey(randomBytes(32));

/** As this process knows them. `ClientRegistry` provides them. */
export abstract class KnownClients {
  abstract findCached(clientId: string): Promise<PlatformClient | undefined>;
  /** False if they were read just now. */
  abstract refresh(): Promise<boolean>;
}

/** Any live secret of the platform may have signed the request. */
@Injectable()
export class RequestVerifier {
  constructor(
    private readonly clients: KnownClients,
    @Inject(Settings) private readonly settings: Pick<Settings, 'CHECKOUT_SCHEME'>,
  ) {}

  /** `undefined` whatever failed, so an attacker cannot tell an unknown client from a wrong signature. */
  async verify({ method, rawUrl, rawHeaders, body }: ReceivedRequest): Promise<VerifiedClient | undefined> {
    const header = onlyHeader('authorization', rawHeaders);
    const credentials = header === undefined ? undefined : parseAuthorization(this.settings.CHECKOUT_SCHEME, header);
    if (!credentials) return undefined;
    const request = { method, path: signedPath(rawUrl), body };
    const signer = await this.#signer(request, credentials);
    if (signer || !(await this.clients.refresh())) return signer;
    // Another process may have created the client or its secret since our last read.
    return this.#signer(request, credentials);
  }

  async #signer(request: Signable, { clientId, digest }: Credentials): Promise<VerifiedClient | undefined> {
    const client = await this.clients.findCached(clientId);
    if (!signedBy(client, request, digest)) return undefined;
    return { clientId, variant: client.variant, requireRefId: client.requireRefId };
  }
}

function signedBy(client: PlatformClient | undefined, request: Signable, received: Buffer): client is PlatformClient {
  const secrets = client?.signingKeys ?? [];
  for (let index = 0; index < MAX_LIVE_SECRETS; index += 1) {
    const secret = secrets[index];
    const matches = verify({ ...request, secret: secret ?? NO_SECRET }, received);
    if (secret && matches) return true;
  }
  return false;
}

/** The header must occur exactly once. With several, a proxy might believe another one than we do. */
function onlyHeader(name: string, rawHeaders: readonly string[]): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[index + 1];
  }
  return value;
}
