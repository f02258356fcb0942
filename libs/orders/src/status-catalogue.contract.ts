import { z } from 'zod';
import { STATUS_ROLES, type StatusRole } from '#domain/status-catalogue';
import { STATUS_VALUES } from '#domain/status';
import { text } from '#base/text';
import { expectedListVersion, readOnlyFields } from '#web/read-only.contract';

const status = z.enum(STATUS_VALUES);
const following = z.array(status);

const CatalogueStatus = z
  .object({
    status_code: z.int(),
    status,
    status_message: z.string(),
    label: z.string().nullable().meta({ description: 'What the button says that sets it' }),
    event: z.string().meta({ description: 'The type of the event that records it' }),
    roles: z.array(z.string()).meta({ description: 'When Willcall sets it by itself' }),
  })
  .meta({ id: 'CatalogueStatus' });

/** The statuses in use, and which of the four may follow which. */
export const StatusCatalogueView = z
  .object({
    version: z.int(),
    source: z.enum(['built_in', 'saved', 'file']).meta({ description: '`file`: of the setting STATUS_CATALOGUE_FILE' }),
    statuses: z.array(CatalogueStatus),
    transitions: z.object({ pending: following, confirmed: following, rejected: following, exception: following }),
  })
  .meta({ id: 'StatusCatalogue' });
export type StatusCatalogueView = z.infer<typeof StatusCatalogueView>;

// The database stores codes as int.
const MAX_CODE = 2 ** 31 - 1;
const MOST_STATUSES = 500;
const CODE = `must be a whole number from 0 to ${MAX_CODE}`;

const code = z.int(CODE).min(0, CODE).max(MAX_CODE, CODE);

const DraftStatus = z.strictObject({
  status_code: code,
  status,
  // That it is not empty is a rule of the domain, so that all faults are named at once.
  status_message: text(200),
  event: z
    .string()
    .max(100)
    .nullish()
    .meta({ description: 'default: the event of its role, or the general one of its status' }),
  label: text(60)
    .min(1, 'must not be empty')
    .nullish()
    .meta({ description: 'default: the label of its role, or none' }),
});

const transitions = z.strictObject({
  pending: following,
  confirmed: following,
  rejected: following,
  exception: following,
});
export const StatusRoles = z.strictObject(
  Object.fromEntries(STATUS_ROLES.map((role) => [role, code])) as Record<StatusRole, typeof code>,
);
export type StatusRoles = z.output<typeof StatusRoles>;

const EXAMPLE = {
  statuses: [
    { status_code: 1001, status: 'pending', status_message: 'Pending confirmation' },
    { status_code: 1002, status: 'pending', status_message: 'Manual review', event: 'OrderHeldForReview' },
    { status_code: 2000, status: 'confirmed', status_message: 'Confirmed' },
    { status_code: 2002, status: 'confirmed', status_message: 'Tickets shipped', event: 'TicketsShipped' },
    { status_code: 2004, status: 'confirmed', status_message: 'Tickets sent by email', event: 'TicketsDelivered' },
    { status_code: 3005, status: 'rejected', status_message: 'The broker did not respond' },
    { status_code: 3006, status: 'rejected', status_message: 'Technical issue' },
    { status_code: 4006, status: 'exception', status_message: 'Technical issue' },
  ],
  transitions: {
    pending: ['pending', 'confirmed', 'rejected', 'exception'],
    confirmed: ['confirmed', 'rejected', 'exception'],
    rejected: [],
    exception: ['exception', 'confirmed', 'rejected'],
  },
  roles: {
    pending_confirmation: 1001,
    manual_review: 1002,
    confirmed: 2000,
    shipped: 2002,
    delivered_electronically: 2004,
    broker_did_not_respond: 3005,
    technical_rejection: 3006,
    technical_exception: 4006,
  },
  dry_run: true,
};

/** Body of PUT /backoffice/v1/status-catalogue. */
export const StatusCatalogueDraft = z
  .strictObject({
    version: expectedListVersion,
    statuses: z
      .array(DraftStatus.extend({ roles: z.array(z.enum(STATUS_ROLES)).nullish() }))
      .min(1)
      .max(MOST_STATUSES),
    transitions,
    roles: StatusRoles.optional().meta({ description: 'default: the `roles` of the statuses, as GET shows them' }),
    ...readOnlyFields('source', 'editable', 'events', 'versions'),
    dry_run: z.boolean().default(false).meta({ description: 'only check it, and say what would change' }),
  })
  .meta({ id: 'StatusCatalogueDraft', examples: [EXAMPLE] });
export type StatusCatalogueDraft = z.output<typeof StatusCatalogueDraft>;

const CatalogueChange = z.object({
  path: z.string().meta({ description: 'JSON Pointer, with the code of a status in place of its index' }),
  before: z.unknown(),
  after: z.unknown(),
});

export const StatusCataloguePreview = z
  .object({ dry_run: z.literal(true), version: z.int(), changes: z.array(CatalogueChange) })
  .meta({ id: 'StatusCataloguePreview' });
export type StatusCataloguePreview = z.infer<typeof StatusCataloguePreview>;

const CatalogueVersion = z.object({
  version: z.int(),
  saved_by: z.string(),
  saved_by_name: z.string().nullable(),
  saved_at: z.iso.datetime(),
});

/** The catalogue as it was written, to be edited. */
export const StatusCatalogueSource = z
  .object({
    version: z.int(),
    editable: z.boolean().meta({ description: 'false while a file decides' }),
    statuses: z.array(DraftStatus),
    transitions,
    roles: StatusRoles,
    events: z
      .object({
        pending: z.array(z.string()),
        confirmed: z.array(z.string()),
        rejected: z.array(z.string()),
        exception: z.array(z.string()),
      })
      .meta({ description: 'the events that may record each status; the first is the general one' }),
    versions: z.array(CatalogueVersion).meta({ description: 'newest first' }),
  })
  .meta({ id: 'StatusCatalogueSource' });
export type StatusCatalogueSource = z.infer<typeof StatusCatalogueSource>;
