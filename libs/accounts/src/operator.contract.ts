import { z } from 'zod';
import { emailAddress } from '#base/email-address';
import { isCommonPassword } from './people/common-password.contract.js';
import { text, visibleName, visibleText } from '#base/text';
import { Permission, Role } from './permission.contract.js';

// NIST SP 800-63B: at least 8 characters, none that is tried first, and no rule about which; a setting may ask for more. The upper limit bounds the
// work of hashing.
const password = text(256)
  .min(8)
  .refine((given) => !isCommonPassword(given), 'must not be one of the passwords that are tried first')
  .meta({
    description: 'at least `PASSWORD_MIN_LENGTH` (12) characters; not one of the passwords that are tried first',
  });

const terms = {
  email: emailAddress(),
  name: visibleName(200),
  roles: z.array(Role).min(1).meta({ description: 'what they may do is the sum of these' }),
  sellers: z.array(visibleText(200)).min(1).nullable().meta({ description: 'the sellers whose orders a broker sees' }),
};

export const Operator = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    roles: z.array(Role),
    sellers: z.array(z.string()).nullable(),
    state: z.enum(['active', 'disabled']),
    totp: z.boolean().meta({ description: 'whether signing in needs a code' }),
    last_sign_in_at: z.iso.datetime().nullable().meta({ description: 'null for somebody who has never signed in' }),
  })
  .meta({ id: 'Operator' });
export type Operator = z.infer<typeof Operator>;

export const OperatorList = z.object({ operators: z.array(Operator) }).meta({ id: 'OperatorList' });
export type OperatorList = z.infer<typeof OperatorList>;

/** Body of POST /backoffice/v1/operators. */
export const NewOperator = z
  .strictObject({
    email: terms.email,
    name: terms.name,
    roles: terms.roles,
    sellers: terms.sellers.default(null),
    password: password.optional().meta({ description: 'without one the answer has an `invite_url`' }),
  })
  .meta({ id: 'NewOperator', examples: [{ email: 'ada@example.com', name: 'Ada Lovelace', roles: ['support'] }] });
export type NewOperator = z.output<typeof NewOperator>;

/** The answer to POST /backoffice/v1/operators. */
export const AddedOperator = Operator.extend({
  invite_url: z.string().optional().meta({ description: 'for choosing a password, once, within 72 hours' }),
}).meta({ id: 'AddedOperator' });
export type AddedOperator = z.infer<typeof AddedOperator>;

/** Body of PATCH /backoffice/v1/operators/{id}. */
export const OperatorChange = z
  .strictObject({
    email: terms.email.optional(),
    name: terms.name.optional(),
    roles: terms.roles.optional(),
    sellers: terms.sellers.optional(),
    state: z.enum(['active', 'disabled']).optional(),
    password: password.optional(),
    current_password: text(256).optional().meta({ description: 'required to change your own password' }),
  })
  .meta({ id: 'OperatorChange', examples: [{ roles: ['support', 'auditor'] }] });
export type OperatorChange = z.output<typeof OperatorChange>;

export const TotpSetup = z
  .object({ secret: z.string().meta({ description: 'base32' }), otpauth_url: z.string() })
  .meta({ id: 'TotpSetup' });
export type TotpSetup = z.infer<typeof TotpSetup>;

const code = text(64);

/** The answer to POST /backoffice/v1/operators/{id}/totp/confirm. */
export const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .meta({ description: 'shown only here; each is good once, as `code` of a sign-in without the app' }),
  })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** Body of POST /backoffice/v1/operators/{id}/totp/confirm. */
export const TotpCode = z.strictObject({ code }).meta({ id: 'TotpCode', examples: [{ code: '123456' }] });
export type TotpCode = z.output<typeof TotpCode>;

/** Body of POST /backoffice/v1/invitations/accept. */
export const AcceptedInvitation = z
  .strictObject({ token: text(200), password })
  .meta({ id: 'AcceptedInvitation', examples: [{ token: 'wsi_…', password: 'a long sentence is good' }] });
export type AcceptedInvitation = z.output<typeof AcceptedInvitation>;

const signInCode = code
  .nullish()
  .meta({ description: 'of the authenticator app, or a recovery code; empty or null is none' });

/** Body of POST /backoffice/v1/session/confirm. */
export const SessionProof = z
  .strictObject({ password: text(256), code: signInCode })
  .meta({ id: 'SessionProof', examples: [{ password: 'a long sentence is good' }] });
export type SessionProof = z.output<typeof SessionProof>;

/** Body of POST /backoffice/v1/session. */
export const SignInRequest = z
  .strictObject({
    email: text(254).trim(),
    password: text(256),
    code: signInCode,
  })
  .meta({ id: 'SignInRequest', examples: [{ email: 'ada@example.com', password: 'a long sentence is good' }] });
export type SignInRequest = z.output<typeof SignInRequest>;

/** Who is signed in. */
export const Session = z
  .object({
    operator: Operator,
    permissions: z.array(Permission),
    csrf_token: z.string().meta({ description: 'send it as X-CSRF-Token with each POST, PUT, PATCH and DELETE' }),
    expires_at: z.iso
      .datetime()
      .meta({ description: '12 hours after signing in; `idle_minutes` without a use end it too' }),
    previous_sign_in_at: z.iso.datetime().nullable().meta({
      description: 'of the sign-in before this one: a person who does not remember it should change the password',
    }),
    idle_minutes: z.int().meta({
      description:
        'requests with the header `X-Background`, and event streams, are no use: pages send them by themselves',
    }),
    proof: z.array(z.enum(['password', 'openid'])).meta({
      description:
        'how to answer 40112: POST /backoffice/v1/session/confirm, or GET /backoffice/v1/session/openid?confirm=true in a browser',
    }),
    totp_required: z.boolean().meta({
      description: 'true until an authenticator app is set up, by `REQUIRE_TOTP`: all other routes answer 403 (40311)',
    }),
    recovery_codes_left: z.int().meta({ description: 'recovery codes that were not used yet' }),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** Where the person is signed in. */
export const SessionList = z
  .object({
    sessions: z.array(
      z.object({
        id: z.string(),
        current: z.boolean().meta({ description: 'the session of this request' }),
        created_at: z.iso.datetime(),
        last_seen_at: z.iso.datetime().meta({ description: 'to about a minute' }),
        address: z.string(),
        browser: z.string().nullable().meta({ description: 'in words; null if nobody knows' }),
        expires_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'SessionList' });
export type SessionList = z.infer<typeof SessionList>;

/** How people can sign in. */
export const SignInOptions = z
  .object({
    password: z.boolean(),
    password_min_length: z.int().meta({ description: 'characters that a new password must have' }),
    openid: z.boolean().meta({ description: 'with the OpenID provider, at GET /backoffice/v1/session/openid' }),
  })
  .meta({ id: 'SignInOptions' });
export type SignInOptions = z.infer<typeof SignInOptions>;

/** Query of GET /backoffice/v1/session/openid. */
export const OpenIdQuery = z.object({
  next: text(2_048).default('/orders').meta({ description: 'the page of the console to go to afterwards' }),
  confirm: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: the person who is signed in proves who they are, and comes to the page /confirmed' }),
});
export type OpenIdQuery = z.output<typeof OpenIdQuery>;
