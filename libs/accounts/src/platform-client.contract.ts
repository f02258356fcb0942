import { z } from 'zod';
import { text, visibleName } from '#base/text';

const VARIANTS = ['payment', 'wholesale'] as const;

const name = visibleName(200);
const secret = text(1_024)
  .regex(/^[!-~]+$/, 'must be 1 to 1024 visible ASCII characters')
  .optional()
  .meta({ description: 'the one that the platform gave you; generated if missing' });

const requireRefId = z.boolean().meta({ description: 'whether purchases without a `ref_id` are refused (40001)' });

/** Body of POST /backoffice/v1/clients. */
export const NewPlatformClient = z
  .strictObject({
    name,
    client_id: text(128)
      .regex(/^[!-9;-~]+$/, 'must be 1 to 128 visible ASCII characters, without ":"')
      .optional()
      .meta({ description: 'the one that the platform gave you; generated if missing' }),
    variant: z.enum(VARIANTS).default('payment').meta({ description: 'what it submits' }),
    require_ref_id: requireRefId.default(false),
    secret,
  })
  .meta({ id: 'NewPlatformClient', examples: [{ name: 'SeatGeek', variant: 'payment' }] });
export type NewPlatformClient = z.output<typeof NewPlatformClient>;

/** Body of PATCH /backoffice/v1/clients/{client_id}. */
export const PlatformClientChange = z
  .strictObject({ name: name.optional(), require_ref_id: requireRefId.optional() })
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .meta({ id: 'PlatformClientChange', examples: [{ require_ref_id: true }] });
export type PlatformClientChange = z.output<typeof PlatformClientChange>;

/** Body of POST /backoffice/v1/clients/{client_id}/rotate and of …/restore. */
export const NewClientSecret = z.strictObject({ secret }).meta({ id: 'NewClientSecret', examples: [{}] });
export type NewClientSecret = z.output<typeof NewClientSecret>;

const instants = { created_at: z.iso.datetime(), revoked_at: z.iso.datetime().nullable() };

/** A client of the checkout service: a platform that may call. */
export const PlatformClient = z
  .object({
    client_id: z.string(),
    name: z.string(),
    variant: z.enum(VARIANTS),
    require_ref_id: requireRefId,
    ...instants,
    secrets: z
      .array(z.object({ id: z.string(), ...instants }))
      .meta({ description: 'newest first, also revoked ones' }),
  })
  .meta({ id: 'PlatformClient' });
export type PlatformClient = z.infer<typeof PlatformClient>;

export const PlatformClientList = z.object({ clients: z.array(PlatformClient) }).meta({ id: 'PlatformClientList' });
export type PlatformClientList = z.infer<typeof PlatformClientList>;

/** The only answer that shows a secret. */
export const IssuedClientSecret = PlatformClient.extend({
  secret_id: z.string(),
  secret: z.string().meta({ description: 'shown only once' }),
}).meta({ id: 'IssuedClientSecret' });
export type IssuedClientSecret = z.infer<typeof IssuedClientSecret>;
