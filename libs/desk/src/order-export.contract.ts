import { z } from 'zod';

const EXPORT_FORMATS = ['csv', 'ndjson', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** In the order of a file whose columns nobody chose. */
export const EXPORT_COLUMNS = [
  'id',
  'ref_id',
  'placed_at',
  'updated_at',
  'status',
  'status_code',
  'status_message',
  'stage',
  'client_id',
  'variant',
  'event_id',
  'listing_id',
  'seller',
  'quantity',
  'total',
  'delivery_method',
  'carrier',
  'tracking_number',
  'first_name',
  'last_name',
  'email',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'country',
  'card_last4',
  'assignee',
  'tags',
  'confirm_by',
  'transaction_id',
  'version',
  'external_id',
  'speculative',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** `arguments` of a job of the kind `export_orders`. */
export const ExportArguments = z
  .strictObject({
    format: z.enum(EXPORT_FORMATS).meta({
      description: 'without `columns`, the lines of `ndjson` are whole orders, which `import_orders` reads',
    }),
    columns: z
      .array(z.enum(EXPORT_COLUMNS))
      .min(1)
      .refine((columns) => new Set(columns).size === columns.length, 'must not repeat a column')
      .optional()
      .meta({ description: 'which columns, and in which order; without it all of them' }),
    bom: z.boolean().optional().meta({
      description: 'whether `csv` begins with a byte order mark, by which Excel knows UTF-8; true by default',
    }),
  })
  .meta({ id: 'ExportArguments', examples: [{ format: 'csv', columns: ['id', 'status', 'total'] }] });
export type ExportArguments = z.output<typeof ExportArguments>;
