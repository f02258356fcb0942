import { z } from 'zod';
import { emailAddress } from '#base/email-address';
import { text, visibleName, visibleText } from '#base/text';
import { TRANSFER_ANSWERS } from '#domain/transfers';
import { Transfer, TransferProof } from '#orders/delivery.contract';
import { instant } from '#web/instant.contract';

const LONGEST_NUMBER = 100;
const LONGEST_URL = 2_048;
const LONGEST_NAME = 100;
const LONGEST_SEAT_NAME = 255;
const MOST_SEATS = 100;
const MOST_SOURCES = 100;

/** The id of a transfer source. */
const SourceId = z.string().regex(/^[a-z0-9_]{1,50}$/, 'must be 1 to 50 small letters, digits and underscores');

/** When something happened that somebody reports. The controller refuses times that are still to come. */
export const PastInstant = instant.meta({ description: 'when it happened, not later than now; now if it is left out' });

/** Body of POST /backoffice/v1/orders/{id}/transfers. */
export const NewTransfers = z
  .strictObject({
    seats: z.array(text(LONGEST_SEAT_NAME)).min(1).max(MOST_SEATS).optional().meta({ description: 'all if left out' }),
    source: text(50).meta({ description: 'one of the transfer sources' }),
    confirmation_number: visibleText(LONGEST_NUMBER)
      .nullish()
      .meta({ description: 'what the source calls the transfer; the same seat and number again is the same transfer' }),
    claim_url: z
      .url({ protocol: /^https?$/ })
      .max(LONGEST_URL)
      .nullish()
      .meta({
        description: 'where the buyer takes the tickets over; the platform gets it when all seats have the same',
      }),
    holder: z
      .strictObject({
        first_name: visibleName(LONGEST_NAME),
        last_name: visibleName(LONGEST_NAME),
        email: emailAddress(),
      })
      .nullish()
      .meta({ description: 'whose account gets the tickets' }),
  })
  .meta({
    id: 'NewTransfers',
    examples: [
      { source: 'ticketmaster', confirmation_number: 'TM-48213', claim_url: 'https://am.ticketmaster.com/claim/48213' },
    ],
  });
export type NewTransfers = z.output<typeof NewTransfers>;

export const TransferList = z.object({ transfers: z.array(Transfer) }).meta({ id: 'TransferList' });
export type TransferList = z.infer<typeof TransferList>;

/** Body of POST /backoffice/v1/orders/{id}/transfers/{transfer_id}/state. */
export const TransferStateChange = z
  .strictObject({ state: z.enum(TRANSFER_ANSWERS), at: PastInstant.optional() })
  .meta({ id: 'TransferStateChange', example: { state: 'accepted' } });
export type TransferStateChange = z.output<typeof TransferStateChange>;

export const AddedProof = z.object({ proof: TransferProof }).meta({ id: 'AddedTransferProof' });
export type AddedProof = z.infer<typeof AddedProof>;

const TransferSource = z.strictObject({ id: SourceId, name: visibleName(LONGEST_NAME) });

/** Where tickets are transferred, in the order of a choice. */
export const TransferSourceList = z
  .strictObject({ sources: z.array(TransferSource).min(1).max(MOST_SOURCES) })
  .refine(({ sources }) => new Set(sources.map(({ id }) => id)).size === sources.length, {
    path: ['sources'],
    message: 'must not have an id twice',
  })
  .meta({ id: 'TransferSourceList', examples: [{ sources: [{ id: 'ticketmaster', name: 'Ticketmaster' }] }] });
export type TransferSourceList = z.output<typeof TransferSourceList>;
