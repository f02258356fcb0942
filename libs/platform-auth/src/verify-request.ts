import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { LIVE_AT_ONCE, type PlatformClient, type Variant } from './platform-client.js';
import { type Credentials, parseAuthorization, type Signable, signedPath, verify } from './signature.js';

/** A request as it was received, nothing decoded or parsed. */
export type ReceivedRequest = Readonly<{
  method: string;
  rawUrl: string;
  /** Names and values in turn, as Node gives them. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}>;

export type VerifiedClient = Readonly<{ clientId: string; variant: Variant }>;

/** Takes the place of secrets that a client does not have, so that every failed check costs the same. */
const NO_SECRET = randomBytes(32);

/** The clients as this process knows them; provided by `ClientRegistry`. */
export abstract class KnownClients {
  abstract known(clientId: string): Promise<PlatformClient | undefined>;
  /** Reads them again. Returns false when that was done just now. */
  abstract refresh(): Promise<boolean>;
}

/** Says which platform signed a request, by any of its live secrets. */
@Injectable()
export class RequestVerifier {
  constructor(
    private readonly clients: KnownClients,
    @Inject(Settings) private readonly settings: Pick<Settings, 'CHECKOUT_SCHEME'>,
  ) {}

  /** `undefined` whatever failed: nothing tells a stranger an unknown client from a wrong signature. */
  async verify({ method, rawUrl, rawHeaders, body }: ReceivedRequest): Promise<VerifiedClient | undefined> {
    const header = onlyHeader('authorization', rawHeaders);
    const credentials = header === undefined ? undefined : parseAuthorization(this.settings.CHECKOUT_SCHEME, header);
    if (!credentials) return undefined;
    const request = { method, path: signedPath(rawUrl), body };
    const signer = await this.#signer(request, credentials);
    if (signer || !(await this.clients.refresh())) return signer;
    // The client, or this secret of it, may have been made by another process since we last looked.
    return this.#signer(request, credentials);
  }

  async #signer(request: Signable, { clientId, digest }: Credentials): Promise<VerifiedClient | undefined> {
    const client = await this.clients.known(clientId);
    return signedBy(client, request, digest) ? { clientId, variant: client.variant } : undefined;
  }
}

function signedBy(client: PlatformClient | undefined, request: Signable, received: Buffer): client is PlatformClient {
  const secrets = client?.secrets ?? [];
  for (let index = 0; index < LIVE_AT_ONCE; index += 1) {
    const secret = secrets[index];
    const matches = verify({ ...request, secret: secret ?? NO_SECRET }, received);
    if (secret && matches) return true;
  }
  return false;
}

/** The value of a header that is there exactly once; of several it would not be sure which one the others believe. */
function onlyHeader(name: string, rawHeaders: readonly string[]): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[index + 1];
  }
  return value;
}
