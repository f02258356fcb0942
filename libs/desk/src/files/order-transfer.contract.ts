import { z } from 'zod';
import { ByteOrderMark } from '#web/byte-order-mark.contract';

/** Query of POST /backoffice/v1/jobs with the lines of an import as body. */
export const ImportQuery = z.strictObject({
  kind: z.literal('import_orders').optional().meta({ description: 'only with a body of NDJSON' }),
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'only with a body of NDJSON: only say what would happen' }),
});
export type ImportQuery = z.output<typeof ImportQuery>;

/** Query of GET /backoffice/v1/jobs/{id}/file. */
export const JobFileQuery = z.strictObject({ bom: ByteOrderMark });
export type JobFileQuery = z.output<typeof JobFileQuery>;

/** Query of GET /downloads/{job_id}. */
export const DownloadQuery = JobFileQuery.extend({
  expires: z.coerce.number().int().min(0).meta({ description: 'milliseconds since 1970' }),
  by: z.string().max(300).optional(),
  signature: z.string().max(100),
});
export type DownloadQuery = z.output<typeof DownloadQuery>;

/** The file of an export that is done. */
export const JobFileView = z
  .object({
    name: z.string(),
    type: z.string(),
    bytes: z.int(),
    url: z.string().meta({ description: 'a signed link: whoever has it can fetch the file until `expires_at`' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'JobFile' });
export type JobFileView = z.infer<typeof JobFileView>;
