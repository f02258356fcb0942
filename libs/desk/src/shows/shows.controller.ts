import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ShowDetail,
  ShowList,
  ShowListCursor,
  ShowListQuery,
  ShowNames,
  ShowNamesQuery,
  ShowVenues,
  ShowVenuesQuery,
} from '../show-list.contract.js';
import type { Caller } from '#accounts/caller';
import { parseForeignJson } from '#base/json';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { type ShowPosition, ShowSales } from './show-sales.js';

@ApiTags('back office: events')
@Controller('backoffice/v1/events')
@ForStaff(['listings:read'])
// Everybody sees the shows. The numbers are counted from what the caller may see.
@SellerScope('shared')
export class ShowsController {
  constructor(private readonly shows: ShowSales) {}

  @Get()
  @ApiOperation({ operationId: 'listEventSales', summary: 'Find events, with what is for sale and what was sold' })
  @ApiOkResponse({ standardSchema: ShowList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: ShowListQuery }) { limit, cursor, ...filter }: ShowListQuery,
    @StaffCaller() { sellers }: Caller,
  ): Promise<ShowList> {
    const after = readCursor(cursor, parseCursor);
    const found = await this.shows.list({ ...filter, sellers }, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ id, datetime_utc: at }) =>
      Buffer.from(JSON.stringify([at, Number(id)])).toString('base64url'),
    );
    return { events: page, next_cursor };
  }

  @Get('names')
  @ApiOperation({ operationId: 'listEventNames', summary: 'Titles, times and venues of several events, for lists' })
  @ApiOkResponse({ standardSchema: ShowNames })
  @ApiErrors(40001, 40100)
  async names(@Query({ schema: ShowNamesQuery }) { ids = [] }: ShowNamesQuery): Promise<ShowNames> {
    return { events: await this.shows.names(ids) };
  }

  @Get('venues')
  @ApiOperation({ operationId: 'listEventVenues', summary: 'The 20 best known venues that match a text' })
  @ApiOkResponse({ standardSchema: ShowVenues })
  @ApiErrors(40001, 40100)
  async venues(@Query({ schema: ShowVenuesQuery }) { q }: ShowVenuesQuery): Promise<ShowVenues> {
    return { venues: await this.shows.venues(q) };
  }

  @Get(':event_id')
  @ApiOperation({ operationId: 'getEventSales', summary: 'One event, its sales, and its orders by status' })
  @ApiOkResponse({ standardSchema: ShowDetail })
  @ApiErrors(40100, 40400)
  async read(@Param('event_id') id: string, @StaffCaller() { sellers }: Caller): Promise<ShowDetail> {
    return orNotFound(await this.shows.find(id, sellers), 'event');
  }
}

function parseCursor(text: string): ShowPosition | undefined {
  try {
    const [at, id] = ShowListCursor.parse(parseForeignJson(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
