import { z } from 'zod';

export const MAIL_KINDS = ['confirmation', 'tickets', 'refund', 'transfer', 'choice'] as const;

/**
 * `accepted`: the mail server took it, and the order does not know yet. `skipped`: there was nobody to send it to, or nothing to send.
 * `refused`: the mail server never takes it.
 */
export const MAIL_STATES = ['due', 'accepted', 'sent', 'skipped', 'refused', 'bounced'] as const;

const kind = z.enum(MAIL_KINDS).meta({
  description:
    '`confirmation` of the order, its `tickets`: a link to each of its files, good for 30 days, the newest `refund` that was made, the `transfer` of tickets to the account of the buyer, or the `choice` to give the tickets of a postponed show back',
});

/** Body of POST /backoffice/v1/orders/{id}/mails and …/mails/preview. */
export const NewMail = z.strictObject({ kind }).meta({ id: 'NewMail', examples: [{ kind: 'confirmation' }] });
export type NewMail = z.infer<typeof NewMail>;

export const OrderMail = z
  .object({
    id: z.string(),
    kind,
    state: z.enum(MAIL_STATES).meta({
      description:
        '`sent`: the mail server has accepted it; `skipped`: nobody to send it to, or nothing to send; `refused` by the mail server; ' +
        '`bounced`: it came back',
    }),
    created_at: z.iso.datetime(),
    requested_by: z.string(),
    requested_by_name: z.string().nullable(),
    attempts: z.int(),
    sent_at: z.iso.datetime().nullable(),
    error: z.string().nullable().meta({ description: 'why it was skipped or refused, or the last attempt failed' }),
    to: z.string().nullable().meta({ description: 'masked without `orders:reveal`; null before it was sent' }),
    subject: z.string().nullable(),
    text: z.string().nullable().meta({ description: 'only with `orders:reveal`' }),
  })
  .meta({ id: 'OrderMail' });
export type OrderMail = z.infer<typeof OrderMail>;

export const OrderMailList = z.object({ mails: z.array(OrderMail) }).meta({ id: 'OrderMailList' });
export type OrderMailList = z.infer<typeof OrderMailList>;

export const MailPreview = z
  .object({
    to: z.string().meta({ description: 'masked without `orders:reveal`' }),
    subject: z.string(),
    text: z.string(),
  })
  .meta({ id: 'MailPreview' });
export type MailPreview = z.infer<typeof MailPreview>;
