import { z } from 'zod';
import { MAX_PER_PAGE, MOST_A_SECOND } from './discovery-key.limits.js';
import { visibleName } from '#base/text';

const DAY_SECONDS = 24 * 60 * 60;

/** What a key may ask for that was given nothing else. */
export const USUAL_MAX_PER_PAGE = 500;

const RATE = z.int().min(1).max(MOST_A_SECOND);
const PER_PAGE = z.int().min(1).max(MAX_PER_PAGE);
const RATE_HINT = 'requests per second; a long answer counts as several';
const PER_PAGE_HINT = 'the largest `per_page` that requests with this key may send';

/** Body of POST /backoffice/v1/discovery-keys. */
export const NewDiscoveryKey = z
  .strictObject({
    name: visibleName(200).meta({ description: 'who it is for' }),
    client_id: z.string().min(1).max(128).optional().meta({ description: 'generated if missing' }),
    rate_per_second: RATE.optional().meta({
      description: `${RATE_HINT}; default: the setting DISCOVERY_RATE_PER_SECOND`,
    }),
    max_per_page: PER_PAGE.default(USUAL_MAX_PER_PAGE).meta({ description: PER_PAGE_HINT }),
    with_secret: z
      .boolean()
      .default(false)
      .meta({ description: 'also generate a secret, which requests must then send' }),
  })
  .meta({ id: 'NewDiscoveryKey', examples: [{ name: 'A fan site', client_id: 'fan-site', rate_per_second: 50 }] });
export type NewDiscoveryKey = z.output<typeof NewDiscoveryKey>;

/** Body of PATCH /backoffice/v1/discovery-keys/{client_id}. */
export const DiscoveryKeyChange = z
  .strictObject({
    rate_per_second: RATE.nullable()
      .optional()
      .meta({ description: `${RATE_HINT}; null: the setting DISCOVERY_RATE_PER_SECOND` }),
    max_per_page: PER_PAGE.optional().meta({ description: PER_PAGE_HINT }),
  })
  .meta({ id: 'DiscoveryKeyChange', examples: [{ max_per_page: 5000 }] });
export type DiscoveryKeyChange = z.output<typeof DiscoveryKeyChange>;

/** Body of POST /backoffice/v1/discovery-keys/{client_id}/rotate. */
export const DiscoveryKeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(30 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .meta({ description: 'how long the earlier secret is accepted too' }),
  })
  .meta({ id: 'DiscoveryKeyRotation', examples: [{ overlap_seconds: 3600 }] });
export type DiscoveryKeyRotation = z.output<typeof DiscoveryKeyRotation>;

export const DiscoveryKey = z
  .object({
    client_id: z.string(),
    name: z.string(),
    has_secret: z.boolean(),
    rate_per_second: z.int().nullable(),
    max_per_page: z.int().meta({ description: PER_PAGE_HINT }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    previous_secret_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'until when the secret before the last rotation is accepted too' }),
    usage: z
      .array(z.object({ day: z.iso.date(), requests: z.int(), throttled: z.int() }))
      .meta({ description: 'the last 30 days (UTC), newest first; `throttled` counts answers with 429' }),
  })
  .meta({ id: 'DiscoveryKey' });
export type DiscoveryKey = z.infer<typeof DiscoveryKey>;

export const DiscoveryKeyList = z.object({ keys: z.array(DiscoveryKey) }).meta({ id: 'DiscoveryKeyList' });
export type DiscoveryKeyList = z.infer<typeof DiscoveryKeyList>;

export const IssuedDiscoveryKey = DiscoveryKey.extend({
  client_secret: z.string().optional().meta({ description: 'shown only once' }),
}).meta({ id: 'IssuedDiscoveryKey' });
export type IssuedDiscoveryKey = z.infer<typeof IssuedDiscoveryKey>;
