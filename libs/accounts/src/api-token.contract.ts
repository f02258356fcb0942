import { z } from 'zod';
import { instant } from '#web/instant.contract';
import { visibleName, visibleText } from '#base/text';
import { Permission, ROLE_PERMISSIONS } from './permission.contract.js';

/** Tokens end by themselves, so that a forgotten one does not open the back office for ever. */
export const endOfToken = instant
  .nullish()
  .meta({ description: 'left out: after `TOKEN_DAYS` (90) days; null: never' });

const isOfBrokers = (scope: Permission) => ROLE_PERMISSIONS.broker.includes(scope);

/** Body of POST /backoffice/v1/tokens. */
export const NewApiToken = z
  .strictObject({
    name: visibleName(200),
    scopes: z.array(Permission).min(1).meta({ description: 'what it may do' }),
    sellers: z.array(visibleText(200)).min(1).nullable().default(null).meta({
      description: 'it sees only the orders and listings of these sellers, as a broker does; scopes of brokers only',
    }),
    expires_at: endOfToken,
  })
  .refine(({ sellers, scopes }) => sellers === null || scopes.every(isOfBrokers), {
    path: ['scopes'],
    message: `with sellers, must be among ${ROLE_PERMISSIONS.broker.join(', ')}`,
  })
  .meta({ id: 'NewApiToken', example: { name: 'accounting', scopes: ['orders:read'] } });
export type NewApiToken = z.output<typeof NewApiToken>;

const time = z.iso.datetime().nullable();

export const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Permission),
    sellers: z.array(z.string()).nullable(),
    created_at: z.iso.datetime(),
    created_by: z.string(),
    expires_at: time,
    revoked_at: time,
    last_used_at: time.meta({ description: 'to about a minute; null when it was never used' }),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof ApiToken>;

export const IssuedApiToken = ApiToken.extend({
  token: z.string().meta({ description: 'shown only once' }),
}).meta({ id: 'IssuedApiToken' });
export type IssuedApiToken = z.infer<typeof IssuedApiToken>;

export const tokenDays = z
  .int()
  .meta({ description: 'days after which a new token ends, unless it is made with another end' });

export const ApiTokenList = z.object({ tokens: z.array(ApiToken), token_days: tokenDays }).meta({ id: 'ApiTokenList' });
export type ApiTokenList = z.infer<typeof ApiTokenList>;
