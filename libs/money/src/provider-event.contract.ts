import { z } from 'zod';

const PROVIDER_EVENT_STATES = ['waiting', 'done', 'ignored', 'failed'] as const;

export const ProviderEventEntry = z
  .object({
    id: z.string().meta({ description: "the provider's; SHA-256 of the payload where the provider has none" }),
    provider: z.string(),
    type: z.string().meta({ description: "the provider's word" }),
    reference: z.string().nullable().meta({ description: "the provider's id of the payment or of the payout" }),
    order_id: z.string().nullable(),
    state: z.enum(PROVIDER_EVENT_STATES).meta({
      description:
        'waiting: its order is not known yet; ignored: it has no meaning here, or its order was not known for 24 hours',
    }),
    received_at: z.iso.datetime(),
    tries: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'ProviderEvent' });
export type ProviderEventEntry = z.infer<typeof ProviderEventEntry>;

export const ProviderEventList = z
  .object({ events: z.array(ProviderEventEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'ProviderEventList' });
export type ProviderEventList = z.infer<typeof ProviderEventList>;

export const ProviderEventQuery = z.object({
  provider: z.string().optional(),
  state: z.enum(PROVIDER_EVENT_STATES).optional(),
  order_id: z.string().optional(),
  reference: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
export type ProviderEventQuery = z.infer<typeof ProviderEventQuery>;
