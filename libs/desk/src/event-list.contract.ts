import { z } from 'zod';
import { several } from '#web/several.contract';
import { text } from '#base/text';

const MOST_A_PAGE = 200;

const EVENT_TIMES = ['upcoming', 'past', 'all'] as const;

/** The content of `next_cursor`: the time of the last event and the id that breaks ties. */
export const EventListCursor = z.tuple([z.iso.datetime({ local: true }), z.int()]);

/** Query of GET /backoffice/v1/events. */
export const EventListQuery = z.strictObject({
  q: text(255).min(1).optional().meta({
    description: 'part of the title, of the name or city of the venue, or the id; case does not matter',
  }),
  when: z.enum(EVENT_TIMES).default('upcoming').meta({
    description: 'upcoming and all begin with the earliest, past with the latest',
  }),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: z.string().max(255).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type EventListQuery = z.output<typeof EventListQuery>;

/** Query of GET /backoffice/v1/events/venues. */
export const EventVenuesQuery = z.strictObject({
  q: text(255).min(1).meta({ description: 'part of the name or of the city, or the id; case does not matter' }),
});
export type EventVenuesQuery = z.output<typeof EventVenuesQuery>;

export const EventVenues = z
  .object({
    venues: z.array(
      z.object({ id: z.int(), name: z.string(), city: z.string().nullable(), state: z.string().nullable() }),
    ),
  })
  .meta({ id: 'EventVenues' });
export type EventVenues = z.infer<typeof EventVenues>;

/** Query of GET /backoffice/v1/events/names. */
export const EventNamesQuery = z.strictObject({
  ids: several(text(255).min(1)).meta({ description: 'up to 50 ids; those that the catalogue lacks are left out' }),
});
export type EventNamesQuery = z.output<typeof EventNamesQuery>;

/** What a list shows of an event. */
export const EventName = z
  .object({
    id: z.string(),
    title: z.string(),
    datetime_local: z.string().meta({ description: 'by the clock of the venue' }),
    venue: z.string(),
  })
  .meta({ id: 'EventName' });
export type EventName = z.infer<typeof EventName>;

export const EventNames = z.object({ events: z.array(EventName) }).meta({ id: 'EventNames' });
export type EventNames = z.infer<typeof EventNames>;

const sales = {
  listings: z.int().min(0).meta({ description: 'listings for sale' }),
  tickets_left: z.int().min(0).meta({ description: 'tickets for sale' }),
  lowest_price: z.number().nullable().meta({ description: 'US dollars for one ticket, without fees' }),
  orders: z.int().min(0).meta({ description: 'all that the platform knows, rejected ones too' }),
  tickets_sold: z.int().min(0).meta({ description: 'tickets in orders that are not rejected' }),
  sales: z.number().min(0).meta({ description: 'US dollars of the orders that are not rejected' }),
};

/** An event with what is for sale and what was sold. Brokers count only their own sellers. */
export const EventSummary = z
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
export type EventSummary = z.infer<typeof EventSummary>;

export const EventList = z
  .object({
    events: z.array(EventSummary),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'EventList' });
export type EventList = z.infer<typeof EventList>;

export const EventDetail = EventSummary.extend({
  statuses: z.record(z.string(), z.int()).meta({ description: 'orders by status' }),
}).meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof EventDetail>;
