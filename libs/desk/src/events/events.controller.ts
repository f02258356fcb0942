import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  EventDetail,
  EventList,
  EventListCursor,
  EventListQuery,
  EventNames,
  EventNamesQuery,
  EventVenues,
  EventVenuesQuery,
} from '../event-list.contract.js';
import type { Caller } from '#accounts/caller';
import { parseForeignJson } from '#base/json';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { type EventPosition, EventSales } from './event-sales.js';

@ApiTags('back office: events')
@Controller('backoffice/v1/events')
@ForStaff(['listings:read'])
// Everybody sees the events. The numbers are counted from what the caller may see.
@SellerScope('shared')
export class BackofficeEventsController {
  constructor(private readonly events: EventSales) {}

  @Get()
  @ApiOperation({ operationId: 'listEventSales', summary: 'Find events, with what is for sale and what was sold' })
  @ApiOkResponse({ standardSchema: EventList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: EventListQuery }) { limit, cursor, ...filter }: EventListQuery,
    @StaffCaller() { sellers }: Caller,
  ): Promise<EventList> {
    const after = readCursor(cursor, parseCursor);
    const found = await this.events.list({ ...filter, sellers }, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ id, datetime_utc: at }) =>
      Buffer.from(JSON.stringify([at, Number(id)])).toString('base64url'),
    );
    return { events: page, next_cursor };
  }

  @Get('names')
  @ApiOperation({ operationId: 'listEventNames', summary: 'Titles, times and venues of several events, for lists' })
  @ApiOkResponse({ standardSchema: EventNames })
  @ApiErrors(40001, 40100)
  async names(@Query({ schema: EventNamesQuery }) { ids = [] }: EventNamesQuery): Promise<EventNames> {
    return { events: await this.events.names(ids) };
  }

  @Get('venues')
  @ApiOperation({ operationId: 'listEventVenues', summary: 'The 20 best known venues that match a text' })
  @ApiOkResponse({ standardSchema: EventVenues })
  @ApiErrors(40001, 40100)
  async venues(@Query({ schema: EventVenuesQuery }) { q }: EventVenuesQuery): Promise<EventVenues> {
    return { venues: await this.events.venues(q) };
  }

  @Get(':event_id')
  @ApiOperation({ operationId: 'getEventSales', summary: 'One event, its sales, and its orders by status' })
  @ApiOkResponse({ standardSchema: EventDetail })
  @ApiErrors(40100, 40400)
  async read(@Param('event_id') id: string, @StaffCaller() { sellers }: Caller): Promise<EventDetail> {
    return orNotFound(await this.events.find(id, sellers), 'event');
  }
}

function parseCursor(text: string): EventPosition | undefined {
  try {
    const [at, id] = EventListCursor.parse(parseForeignJson(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
