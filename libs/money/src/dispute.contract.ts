import { z } from 'zod';
import { DISPUTE_ENDS, DISPUTE_KINDS } from '#domain/payment-events';
import { text } from '#base/text';
import { instant } from '#web/instant.contract';

const DISPUTE_STATES = ['open', 'sent', ...DISPUTE_ENDS] as const;

const time = z.iso.datetime();
const note = text(2_000).nullish();

export const Dispute = z
  .object({
    id: z.string(),
    reference: z.string().nullable().meta({ description: "the provider's id of it; null without a card network" }),
    order_id: z.string(),
    provider: z.string().nullable().meta({ description: 'null without a card network' }),
    kind: z.enum(DISPUTE_KINDS),
    state: z.enum(DISPUTE_STATES),
    inquiry: z.boolean().meta({ description: 'the bank only asks, and no money has moved' }),
    reason: z.string().meta({ description: "the provider's word; without a card network the kind" }),
    amount: z.number(),
    currency: z.string().meta({ description: 'ISO 4217' }),
    opened_at: time,
    due_at: time.nullable().meta({ description: 'until then it can be answered; null if nobody said' }),
    sent_at: time.nullable(),
    closed_at: time.nullable(),
    note: z.string().nullable().meta({ description: 'the last one that a colleague wrote about it' }),
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.infer<typeof Dispute>;

export const DisputeList = z
  .object({ disputes: z.array(Dispute), next_cursor: z.string().nullable() })
  .meta({ id: 'DisputeList' });
export type DisputeList = z.infer<typeof DisputeList>;

export const DisputeQuery = z.object({
  state: z.enum(DISPUTE_STATES).optional(),
  due_before: instant.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
export type DisputeQuery = z.output<typeof DisputeQuery>;

const flag = z.enum(['true', 'false']).default('false');

/** Query of GET /backoffice/v1/disputes/{id}/pack. */
export const PackQuery = z.strictObject({
  clear: flag.meta({ description: 'with personal data and the files of the tickets; needs `orders:reveal`' }),
  renew: flag.meta({ description: 'show what has happened until now; needs `money:act`' }),
});
export type PackQuery = z.output<typeof PackQuery>;

/** Body of POST /backoffice/v1/disputes/{id}/evidence. */
export const EvidenceToSend = z
  .strictObject({
    submit: z.boolean().meta({ description: 'true: it is final; false: the provider keeps it as a draft' }),
    note: note.meta({ description: 'for colleagues; that of a draft is a note on the order' }),
  })
  .meta({ id: 'EvidenceToSend', examples: [{ submit: true }] });
export type EvidenceToSend = z.infer<typeof EvidenceToSend>;

/** Body of POST /backoffice/v1/orders/{id}/disputes. */
export const NewDispute = z
  .strictObject({
    kind: z.enum(['denied_entry', 'cancelled_sale']),
    note: note.meta({ description: 'stored with the dispute, for colleagues' }),
  })
  .meta({ id: 'NewDispute', examples: [{ kind: 'denied_entry', note: 'The barcode was refused at gate 4.' }] });
export type NewDispute = z.infer<typeof NewDispute>;

/** Body of POST /backoffice/v1/disputes/{id}/close. */
export const DisputeClosing = z
  .strictObject({
    state: z.enum(['won', 'lost', 'withdrawn']),
    note: note.meta({ description: 'stored with the dispute, for colleagues' }),
  })
  .meta({ id: 'DisputeClosing', examples: [{ state: 'withdrawn' }] });
export type DisputeClosing = z.infer<typeof DisputeClosing>;
