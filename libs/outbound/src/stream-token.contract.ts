import { z } from 'zod';
import { visibleName } from '#base/text';
import { endOfToken, tokenDays } from '#accounts/api-token.contract';

/** Body of POST /backoffice/v1/stream-tokens. */
export const NewStreamToken = z
  .strictObject({
    name: visibleName(200).meta({ description: 'the name of the integration' }),
    expires_at: endOfToken,
  })
  .meta({ id: 'NewStreamToken', example: { name: 'warehouse' } });
export type NewStreamToken = z.output<typeof NewStreamToken>;

const token = {
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
};

export const IssuedStreamToken = z
  .object({ ...token, token: z.string().meta({ description: 'shown only once' }) })
  .meta({ id: 'IssuedStreamToken' });
export type IssuedStreamToken = z.infer<typeof IssuedStreamToken>;

export const StreamToken = z
  .object({
    ...token,
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'accurate to about a minute; null if never used' }),
  })
  .meta({ id: 'StreamToken' });
export type StreamToken = z.infer<typeof StreamToken>;

export const StreamTokenList = z
  .object({ stream_tokens: z.array(StreamToken), token_days: tokenDays })
  .meta({ id: 'StreamTokenList' });
export type StreamTokenList = z.infer<typeof StreamTokenList>;
