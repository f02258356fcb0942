import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Clock } from '#base/clock';
import { CatalogueSearch } from '../catalogue-search.js';
import { Settings } from '#base/settings';
import { DiscoveryEvent, EventsAnswer } from './event.contract.js';
import { ApiDiscovery } from './api-discovery.js';
import { bulkText } from './answer-text.js';
import { argumentsOf, type DiscoveryRequest } from './discovery-request.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { sendOne } from './one-document.js';
import { PLACE } from './place-arguments.js';
import { PlaceFinder } from './place-finder.js';
import { PRESENTATION, rejectIssues } from './presentation.js';
import { EVENT_SEARCH } from './searches.js';
import { sendAnswer } from './send-answer.js';

@ApiTags('discovery')
@Controller('2/events')
@UseGuards(DiscoveryGuard)
export class EventsController {
  constructor(
    private readonly catalogue: CatalogueSearch,
    private readonly places: PlaceFinder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiDiscovery('searchEvents', 'Find events', EventsAnswer, [EVENT_SEARCH, PLACE])
  async find(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    const args = argumentsOf(request);
    const presentation = PRESENTATION.read(args);
    const search = EVENT_SEARCH.read(args);
    const place = search.ids ? undefined : PLACE.read(args);
    rejectIssues(args);
    const located = await this.places.find(place, request.ip);
    const visibleAt = this.settings.DISCOVERY_PAST_EVENTS === 'hide' ? this.clock.now() : undefined;
    const found = await this.catalogue.events({ ...search, near: located?.near, visibleAt });
    const text = bulkText('events', found, search, located?.geolocation);
    const personal = place?.centre.by === 'caller';
    await sendAnswer({ request, reply }, text, presentation, { freshFor: 'stock', personal });
  }

  @Get(':id')
  @ApiDiscovery('getEvent', 'Read one event', DiscoveryEvent)
  one(@Param('id') id: string, @Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    return sendOne(this.catalogue, 'event', id, { request, reply });
  }
}
