import { z } from 'zod';
import { several } from '#web/several.contract';
import { LONGEST_SHOW_QUESTION } from './desk.limits.js';
import { text } from '#base/text';

const MOST_A_PAGE = 200;

const SHOW_TIMES = ['upcoming', 'past', 'all'] as const;

/** The content of `next_cursor`: the time of the last show and the id that breaks ties. */
export const ShowListCursor = z.tuple([z.iso.datetime({ local: true }), z.int()]);

/** Query of GET /backoffice/v1/events. */
export const ShowListQuery = z.strictObject({
  q: text(LONGEST_SHOW_QUESTION).min(1).optional().meta({
    description: 'part of the title, of the name or city of the venue, or the id; case does not matter',
  }),
  when: z.enum(SHOW_TIMES).default('upcoming').meta({
    description: 'upcoming and all begin with the earliest, past with the latest',
  }),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: z.string().max(255).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type ShowListQuery = z.output<typeof ShowListQuery>;

/** Query of GET /backoffice/v1/events/venues. */
export const ShowVenuesQuery = z.strictObject({
  q: text(LONGEST_SHOW_QUESTION)
    .min(1)
    .meta({ description: 'part of the name or of the city, or the id; case does not matter' }),
});
export type ShowVenuesQuery = z.output<typeof ShowVenuesQuery>;

export const ShowVenues = z
  .object({
    venues: z.array(
      z.object({ id: z.int(), name: z.string(), city: z.string().nullable(), state: z.string().nullable() }),
    ),
  })
  .meta({ id: 'EventVenues' });
export type ShowVenues = z.infer<typeof ShowVenues>;

/** Query of GET /backoffice/v1/events/names. */
export const ShowNamesQuery = z.strictObject({
  ids: several(text(255).min(1)).meta({ description: 'up to 50 ids; those that the catalogue lacks are left out' }),
});
export type ShowNamesQuery = z.output<typeof ShowNamesQuery>;

/** What a list says of a show. */
export const ShowName = z
  .object({
    id: z.string(),
    title: z.string(),
    datetime_local: z.string().meta({ description: 'by the clock of the venue' }),
    venue: z.string(),
  })
  .meta({ id: 'EventName' });
export type ShowName = z.infer<typeof ShowName>;

export const ShowNames = z.object({ events: z.array(ShowName) }).meta({ id: 'EventNames' });
export type ShowNames = z.infer<typeof ShowNames>;

const sales = {
  listings: z.int().min(0).meta({ description: 'listings for sale' }),
  tickets_left: z.int().min(0).meta({ description: 'tickets for sale' }),
  lowest_price: z.number().nullable().meta({ description: 'US dollars for one ticket, without fees' }),
  orders: z.int().min(0).meta({ description: 'all that the platform knows, rejected ones too' }),
  tickets_sold: z.int().min(0).meta({ description: 'tickets in orders that are not rejected' }),
  sales: z.number().min(0).meta({ description: 'US dollars of the orders that are not rejected' }),
};

/** A show with what is for sale and what was sold. Brokers count only their own sellers. */
export const ShowSummary = z
  .object({
    id: z.string(),
    title: z.string().nullable().meta({ description: 'null if the catalogue lacks the event' }),
    datetime_local: z.string().nullable().meta({ description: 'by the clock of the venue' }),
    datetime_utc: z.string().nullable(),
    time_tbd: z.boolean(),
    date_tbd: z.boolean(),
    venue: z.object({ name: z.string(), city: z.string().nullable(), state: z.string().nullable() }).nullable(),
    ...sales,
  })
  .meta({ id: 'EventSummary' });
export type ShowSummary = z.infer<typeof ShowSummary>;

export const ShowList = z
  .object({
    events: z.array(ShowSummary),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'EventList' });
export type ShowList = z.infer<typeof ShowList>;

export const ShowDetail = ShowSummary.extend({
  statuses: z.record(z.string(), z.int()).meta({ description: 'orders by status' }),
}).meta({ id: 'EventDetail' });
export type ShowDetail = z.infer<typeof ShowDetail>;
