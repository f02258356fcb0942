import { z } from 'zod';
import { instant } from '../instant.js';
import { visibleName } from '../text.js';
import { Permission } from './permission.js';

/** Body of POST /backoffice/v1/tokens. */
export const NewApiToken = z
  .strictObject({
    name: visibleName(200),
    scopes: z.array(Permission).min(1).meta({ description: 'what it may do' }),
    expires_at: instant.nullable().default(null),
  })
  .meta({ id: 'NewApiToken', example: { name: 'accounting', scopes: ['orders:read'] } });
export type NewApiToken = z.output<typeof NewApiToken>;

const time = z.iso.datetime().nullable();

export const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Permission),
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

export const ApiTokenList = z.object({ tokens: z.array(ApiToken) }).meta({ id: 'ApiTokenList' });
export type ApiTokenList = z.infer<typeof ApiTokenList>;
