import { z } from 'zod';
import { instant, periodEnd } from '#web/instant.contract';
import { text } from '#base/text';

const MOST_A_PAGE = 200;
const term = text(300).min(1);

/** Query of GET /backoffice/v1/audit. */
export const AuditQuery = z.strictObject({
  actor: term.optional().meta({ description: '`operator:<id>`, `token:<id>`, `link:<id>`, `cli:<user>` or `system`' }),
  action: term.optional().meta({ description: '`noun.verb`, e.g. `order.changed`' }),
  subject: term.optional().meta({ description: 'e.g. `order:<id>`' }),
  from: instant.optional().meta({ description: 'inclusive' }),
  to: periodEnd.optional().meta({ description: 'exclusive, but a day without a time includes that whole day (UTC)' }),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: z.string().max(64).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.string(),
    actor_name: z.string().nullable().meta({ description: 'of an operator, also of a removed one' }),
    action: z.string(),
    subject: z.string(),
    subject_name: z.string().nullable().meta({ description: 'of an operator, also of a removed one' }),
    transaction_id: z.string().nullable(),
    address: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = z
  .object({
    entries: z.array(AuditEntry),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;
