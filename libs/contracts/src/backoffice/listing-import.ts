import { z } from 'zod';

/** The answer to POST /backoffice/v1/listings/import. */
export const ListingImportReport = z
  .object({
    imported: z.int().min(0).meta({ description: 'lines that were written' }),
    failed: z.int().min(0),
    errors: z
      .array(
        z.object({
          line: z.int().min(1).meta({ description: 'the first line of the record, counted from 1' }),
          errors: z.array(z.object({ code: z.int(), message: z.string() })).min(1),
        }),
      )
      .meta({ description: 'of the first 1,000 lines that failed' }),
  })
  .meta({ id: 'ListingImportReport' });
export type ListingImportReport = z.infer<typeof ListingImportReport>;
