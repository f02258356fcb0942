import { z } from 'zod';

/** Query of POST /backoffice/v1/listings/import. */
export const ListingImportQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).default('false').meta({ description: 'only check the lines, and write nothing' }),
});
export type ListingImportQuery = z.output<typeof ListingImportQuery>;

/** The answer to POST /backoffice/v1/listings/import. */
export const ListingImportReport = z
  .object({
    imported: z.int().min(0).meta({ description: 'lines that were written, or would be' }),
    failed: z.int().min(0),
    errors: z
      .array(
        z.object({
          line: z.int().min(1).meta({ description: 'the first line of the record, counted from 1' }),
          errors: z.array(z.object({ code: z.int(), message: z.string() })).min(1),
        }),
      )
      .meta({ description: 'of the first 1,000 lines that failed' }),
    dry_run: z.literal(true).exactOptional().meta({ description: 'nothing was written' }),
    created: z.int().min(0).exactOptional().meta({ description: 'of a dry run: new listings' }),
    replaced: z.int().min(0).exactOptional().meta({ description: 'of a dry run: listings that exist already' }),
  })
  .meta({ id: 'ListingImportReport' });
export type ListingImportReport = z.infer<typeof ListingImportReport>;
