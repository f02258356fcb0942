import { z } from 'zod';
import { MAIL_KINDS } from '#fulfilment/mail.contract';

/** E-mails to people with an account. */
export const STAFF_MAIL_KINDS = ['account', 'notices', 'escalation', 'report'] as const;

export const MailTemplatePreview = z
  .object({
    id: z.enum([...MAIL_KINDS, ...STAFF_MAIL_KINDS]).meta({
      description:
        'those to buyers; and to staff: a change of the `account`, their `notices`, orders that wait too long (`escalation`), the `report` to which they subscribed',
    }),
    subject: z.string(),
    html: z.string().meta({ description: 'a whole page' }),
    text: z.string(),
  })
  .meta({ id: 'MailTemplatePreview' });
export type MailTemplatePreview = z.infer<typeof MailTemplatePreview>;

/** Answer to GET /backoffice/v1/mail-templates. */
export const MailTemplateList = z.object({ templates: z.array(MailTemplatePreview) }).meta({ id: 'MailTemplateList' });
export type MailTemplateList = z.infer<typeof MailTemplateList>;
