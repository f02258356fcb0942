import { z } from 'zod';
import { STATUS_VALUES } from '#domain/status';

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
    statuses: z.array(CatalogueStatus),
    transitions: z.object({ pending: following, confirmed: following, rejected: following, exception: following }),
  })
  .meta({ id: 'StatusCatalogue' });
export type StatusCatalogueView = z.infer<typeof StatusCatalogueView>;
