import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { Settings } from '#base/settings';
import { Randomness } from '#base/randomness';
import type { Claims } from './openid-roles.js';

const CALLBACK = '/backoffice/v1/session/openid/callback';
const TIMEOUT_S = 10;
const NONCE_BYTES = 32;

/** What the browser keeps between the start of a sign-in and its end. */
export type PendingLogin = Readonly<{ state: string; nonce: string; verifier: string }>;

/** A session at the provider. The pair of issuer and subject never changes. */
export type OpenIdSession = Readonly<{
  issuer: string;
  subject: string;
  /** Its id, where the provider gives one. */
  sid: string | undefined;
  issuedAt: Date;
  /** When the provider wants it to end. */
  endsAt: Date | undefined;
}>;

/** A person as the provider knows them. */
export type OpenIdPerson = OpenIdSession & Readonly<{ claims: Claims }>;

/** The OpenID provider of the settings: authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1). */
@Injectable()
export class OpenIdProvider {
  #configuration: Promise<openid.Configuration> | undefined;
  #keys: JWTVerifyGetKey | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly randomness: Randomness,
  ) {}

  get isConfigured(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }

  /**
   * @param asks `always`: for a proof; the provider asks the person again, even one who is signed in there
   * @returns where to send the browser. @throws if the provider does not answer
   */
  async begin(asks: 'if needed' | 'always'): Promise<{ address: string; login: PendingLogin }> {
    const configuration = await this.#discovered();
    const [state, nonce, verifier] = [this.#random(), this.#random(), this.#random()];
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: `${this.settings.PUBLIC_URL}${CALLBACK}`,
      scope: this.settings.OIDC_SCOPES,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // With max_age the provider says in `auth_time` when the person signed in (OpenID Connect Core 1.0, section 3.1.2.1).
      ...(asks === 'always' && { prompt: 'login', max_age: '0' }),
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
    const merged = mergedClaims(claims, more);
    const sid = typeof claims['sid'] === 'string' ? claims['sid'] : undefined;
    const session = { issuer: claims.iss, subject: claims.sub, sid, issuedAt: new Date(claims.iat * 1_000) };
    return { ...session, endsAt: sessionEnd(merged), claims: merged };
  }

  /** Whom it calls issuer and client, and its keys, which are read when they are needed. @throws if the provider does not answer */
  async signatures(): Promise<{ issuer: string; client: string; keys: JWTVerifyGetKey }> {
    const configuration = await this.#discovered();
    const { issuer, jwks_uri: address } = configuration.serverMetadata();
    if (address === undefined) throw new Error('the provider publishes no keys');
    this.#keys ??= createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT_S * 1_000 });
    return { issuer, client: configuration.clientMetadata().client_id, keys: this.#keys };
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
    const insecure = server.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    const execute = [openid.enableNonRepudiationChecks, ...insecure];
    return await openid.discovery(server, id, secret, authenticationWith(secret), { execute, timeout: TIMEOUT_S });
  }

  #random(): string {
    return this.randomness.bytes(NONCE_BYTES).toString('base64url');
  }
}

/**
 * The end of an ID token says nothing about the session (OpenID Connect Core 1.0, section 2). Some providers have a claim for it: `session_expiry` of
 * OpenID Connect Enterprise Extensions, or the name that SAML has.
 */
function sessionEnd(claims: Claims): Date | undefined {
  const ends = [claims['session_expiry'], claims['session_not_on_or_after']].map(Number).filter((end) => end > 0);
  const earliest = new Date(Math.min(...ends) * 1_000);
  return Number.isNaN(earliest.getTime()) ? undefined : earliest;
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
