import { Injectable } from '@nestjs/common';
import * as openid from 'openid-client';
import { Settings } from '#config/settings';
import { Randomness } from '#runtime/randomness';
import type { Claims } from './openid-roles.js';

const CALLBACK = '/backoffice/v1/session/openid/callback';
const TIMEOUT_S = 10;
const NONCE_BYTES = 32;

/** What the browser keeps between the start of a sign-in and its end. */
export type PendingLogin = Readonly<{ state: string; nonce: string; verifier: string }>;

/** A person as the provider knows them. The pair of issuer and subject never changes. */
export type OpenIdPerson = Readonly<{ issuer: string; subject: string; claims: Claims }>;

/** The OpenID provider of the settings: authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1). */
@Injectable()
export class OpenIdProvider {
  #configuration: Promise<openid.Configuration> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly randomness: Randomness,
  ) {}

  get isConfigured(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }

  /** @returns where to send the browser. @throws if the provider does not answer */
  async begin(): Promise<{ address: string; login: PendingLogin }> {
    const configuration = await this.#discovered();
    const [state, nonce, verifier] = [this.#random(), this.#random(), this.#random()];
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: `${this.settings.PUBLIC_URL}${CALLBACK}`,
      scope: this.settings.OIDC_SCOPES,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, login: { state, nonce, verifier } };
  }

  /** @param query of the redirect address. @throws if the provider refuses, answers wrongly or not at all */
  async finish(query: string, { state, nonce, verifier }: PendingLogin): Promise<OpenIdPerson> {
    const configuration = await this.#discovered();
    const address = new URL(`${this.settings.PUBLIC_URL}${CALLBACK}?${query}`);
    const tokens = await openid.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no ID token');
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    // Many providers send groups and the e-mail address only here.
    const more = endpoint ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return { issuer: claims.iss, subject: claims.sub, claims: mergedClaims(claims, more) };
  }

  /** Asks the provider for its addresses once; again if that failed. */
  #discovered(): Promise<openid.Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<openid.Configuration> {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = this.settings;
    if (issuer === undefined || id === undefined || secret === undefined) throw new Error('OIDC_ISSUER is not set');
    const server = new URL(issuer);
    // The settings allow http only on this machine.
    const execute = server.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    return await openid.discovery(server, id, secret, authenticationWith(secret), { execute, timeout: TIMEOUT_S });
  }

  #random(): string {
    return this.randomness.bytes(NONCE_BYTES).toString('base64url');
  }
}

/** The ID token's word on `email_verified` says nothing about another address in the user info. */
function mergedClaims(token: Claims, info: Claims): Claims {
  const isOtherEmail = info['email'] !== undefined && info['email'] !== token['email'];
  return { ...token, ...(isOtherEmail && { email_verified: undefined }), ...info };
}

/** By HTTP Basic where the provider takes it, which is the default of the standard. */
function authenticationWith(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
