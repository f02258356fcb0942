import { z } from 'zod';
import { text } from '#base/text';

/** Projections that can be rebuilt, by the name that the command line uses too. */
export const REBUILDABLE_PROJECTIONS = [
  'orders',
  'status_history',
  'ledger_entries',
  'disputes',
  'money_tasks',
  'ping-stream',
  'work-queues',
  'discovery-stats',
  'recommendations',
] as const;
export type RebuildableProjection = (typeof REBUILDABLE_PROJECTIONS)[number];

const REBUILDS = [...REBUILDABLE_PROJECTIONS, 'all'] as const;
const REQUESTED_KINDS = ['rebuild', 'verify'] as const;
const KINDS = [...REQUESTED_KINDS, 'reseal'] as const;
const STATES = ['requested', 'running', 'done', 'failed', 'cancelled'] as const;
const FOLLOWS = ['log', 'feed', 'ping_stream', 'catalogue', 'orders'] as const;
const MOST_A_PAGE = 100;

const time = z.iso.datetime();

const Projection = z
  .object({
    name: z.string(),
    follows: z.enum(FOLLOWS).meta({
      description:
        '`log`: written together with each event; `feed` and `ping_stream`: reads entry by entry; `catalogue` and `orders`: derived from them',
    }),
    position: z.int().nullable().meta({ description: 'how far it has read; null if it has no position' }),
    end: z.int().nullable().meta({ description: 'how far it can read now' }),
    behind: z.int().nullable().meta({ description: 'entries that it has not processed yet' }),
    behind_seconds: z.number().nullable().meta({ description: 'age of the oldest of these entries; 0 without any' }),
    rebuildable: z.boolean(),
    rebuilt_at: time.nullable().meta({ description: 'when a rebuild of it last ended well' }),
  })
  .meta({ id: 'Projection' });

export const ProjectionList = z.object({ projections: z.array(Projection) }).meta({ id: 'ProjectionList' });
export type ProjectionList = z.infer<typeof ProjectionList>;

/** Body of POST /backoffice/v1/maintenance-runs. */
export const NewMaintenanceRun = z
  .strictObject({
    kind: z.enum(REQUESTED_KINDS),
    projection: z.enum(REBUILDS).optional().meta({ description: 'only of a rebuild, which needs it' }),
  })
  .refine(({ kind, projection }) => (kind === 'rebuild') === (projection !== undefined), {
    path: ['projection'],
    error: 'a rebuild needs it, and a verification has none',
  })
  .meta({ id: 'NewMaintenanceRun', examples: [{ kind: 'rebuild', projection: 'orders' }, { kind: 'verify' }] });
export type NewMaintenanceRun = z.output<typeof NewMaintenanceRun>;

const RebuiltTable = z.object({
  projection: z.enum(REBUILDABLE_PROJECTIONS),
  rows: z.int(),
  seconds: z.number(),
});

/** Names the place, never the content. */
const Finding = z.object({
  kind: z.string(),
  id: z
    .string()
    .meta({ description: 'of the order, its stream, the listing or the dispute; of a task what it is about' }),
  at: z.int().optional(),
  column: z.string().optional(),
  problem: z.string(),
});

export const MaintenanceRun = z
  .object({
    id: z.string(),
    kind: z.enum(KINDS).meta({
      description: '`reseal`: everything is encrypted anew with a changed ENCRYPTION_KEY; it begins by itself',
    }),
    projection: z.enum(REBUILDS).nullable(),
    state: z.enum(STATES).meta({
      description: '`failed` also if whoever did it ended before it was done, but a verification then goes on',
    }),
    requested_by: z.string(),
    requested_by_name: z.string().nullable(),
    requested_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    cancelling: z.boolean().meta({ description: 'it ends at its next step' }),
    step: z.string().nullable(),
    done: z.int(),
    total: z.int(),
    seconds_left: z.int().nullable().meta({ description: 'estimated from the pace until now' }),
    rebuilt: z.array(RebuiltTable).nullable().meta({ description: 'of a rebuild that is done' }),
    checked: z
      .record(z.string(), z.int())
      .nullable()
      .meta({ description: 'of a verification or a change of the key: numbers of rows' }),
    found: z
      .record(z.string(), z.int())
      .nullable()
      .meta({ description: 'differences by kind, or values that no key opens by table; empty if all agrees' }),
    findings: z.array(Finding).nullable().meta({ description: 'the first twenty of each kind' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'MaintenanceRun' });
export type MaintenanceRun = z.infer<typeof MaintenanceRun>;

/** Query of GET /backoffice/v1/maintenance-runs. */
export const MaintenanceRunQuery = z.strictObject({
  kind: z.enum(KINDS).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(20),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type MaintenanceRunQuery = z.output<typeof MaintenanceRunQuery>;

export const MaintenanceRunList = z
  .object({
    runs: z.array(MaintenanceRun),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'MaintenanceRunList' });
export type MaintenanceRunList = z.infer<typeof MaintenanceRunList>;
