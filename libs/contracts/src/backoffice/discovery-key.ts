import { z } from 'zod';
import { text } from '../text.js';

const MOST_A_SECOND = 1_000_000;
const DAY_SECONDS = 24 * 60 * 60;

/** Body of POST /backoffice/v1/discovery-keys. */
export const NewDiscoveryKey = z
  .strictObject({
    name: text(200).min(1).meta({ description: 'who it is for' }),
    client_id: z.string().min(1).max(128).optional().meta({ description: 'generated if missing' }),
    rate_per_second: z
      .int()
      .min(1)
      .max(MOST_A_SECOND)
      .optional()
      .meta({ description: 'requests per second; default: the setting DISCOVERY_RATE_PER_SECOND' }),
    with_secret: z
      .boolean()
      .default(false)
      .meta({ description: 'also generate a secret, which requests must then send' }),
  })
  .meta({ id: 'NewDiscoveryKey', examples: [{ name: 'A fan site', client_id: 'fan-site', rate_per_second: 50 }] });
export type NewDiscoveryKey = z.output<typeof NewDiscoveryKey>;

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
