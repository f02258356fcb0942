import { z } from 'zod';
import { DENIAL_REASONS } from '#domain/order-events';
import { LONGEST_CHANGE_NOTE } from './order.limits.js';
import { text } from '#base/text';

const note = text(LONGEST_CHANGE_NOTE).nullish().meta({ description: 'stored with the change, for colleagues' });

/** Body of POST /backoffice/v1/orders/{id}/accept. */
export const Acceptance = z
  .strictObject({ note })
  .meta({ id: 'Acceptance', examples: [{ note: 'The broker called.' }] });
export type Acceptance = z.infer<typeof Acceptance>;

/** Body of POST /backoffice/v1/orders/{id}/deny. */
export const Denial = z
  .strictObject({
    reason: z.enum(DENIAL_REASONS).meta({
      description:
        '`not_available` gives the status 3003, `fraud` 3002, `event_cancelled` 3007, and the others 3004 (broker denies)',
    }),
    note,
  })
  .meta({ id: 'Denial', examples: [{ reason: 'not_available', note: 'Sold at the door.' }] });
export type Denial = z.infer<typeof Denial>;
export type DenialReason = Denial['reason'];
