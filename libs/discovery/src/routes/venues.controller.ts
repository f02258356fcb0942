import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CatalogueSearch } from '../catalogue-search.js';
import { DiscoveryVenue, VenuesAnswer } from './venue.contract.js';
import { bulkText } from './answer-text.js';
import { ApiDiscovery } from './api-discovery.js';
import { argumentsOf, type DiscoveryRequest } from './discovery-request.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { sendOne } from './one-document.js';
import { PLACE } from './place-arguments.js';
import { PlaceFinder } from './place-finder.js';
import { PRESENTATION, rejectIssues } from './presentation.js';
import { VENUE_SEARCH } from './searches.js';
import { sendAnswer } from './send-answer.js';

@ApiTags('discovery')
@Controller('2/venues')
@UseGuards(DiscoveryGuard)
export class VenuesController {
  constructor(
    private readonly catalogue: CatalogueSearch,
    private readonly places: PlaceFinder,
  ) {}

  @Get()
  @ApiDiscovery('searchVenues', 'Find venues', VenuesAnswer, [VENUE_SEARCH, PLACE])
  async find(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    const args = argumentsOf(request);
    const presentation = PRESENTATION.read(args);
    const search = VENUE_SEARCH.read(args);
    const place = search.ids ? undefined : PLACE.read(args);
    rejectIssues(args);
    const located = await this.places.find(place, request.ip);
    const found = await this.catalogue.venues({ ...search, near: located?.near });
    const text = bulkText('venues', found, search, located?.geolocation);
    const personal = place?.centre.by === 'caller';
    await sendAnswer({ request, reply }, text, presentation, { freshFor: 'stock', personal });
  }

  @Get(':id')
  @ApiDiscovery('getVenue', 'Read one venue', DiscoveryVenue)
  one(@Param('id') id: string, @Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    return sendOne(this.catalogue, 'venue', id, { request, reply });
  }
}
