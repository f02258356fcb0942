import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Clock } from '#base/clock';
import type { SearchResult } from '../search/query/paging.js';
import { Recommendations } from '../search/query/recommendation-search.js';
import { Settings } from '#base/settings';
import { RecommendationsAnswer } from './event.contract.js';
import { bulkText } from './answer-text.js';
import type { ArgumentReader } from './argument-reader.js';
import { ApiDiscovery } from './api-discovery.js';
import { argumentsOf, type DiscoveryRequest } from './discovery-request.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { PlaceFinder } from './place-finder.js';
import { withoutIssues, PRESENTATION, rejectIssues } from './presentation.js';
import { RECOMMENDATIONS } from './recommendation-arguments.js';
import { sendAnswer } from './send-answer.js';

@ApiTags('discovery')
@Controller('2/recommendations')
@UseGuards(DiscoveryGuard)
export class RecommendationsController {
  constructor(
    private readonly recommendations: Recommendations,
    private readonly places: PlaceFinder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiDiscovery(
    'getRecommendations',
    'Recommend events by performers or by an event, near a place',
    RecommendationsAnswer,
    [RECOMMENDATIONS],
  )
  async find(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    const args = argumentsOf(request);
    const presentation = PRESENTATION.read(args);
    const asked = withoutIssues(args, RECOMMENDATIONS.read(args));
    const { by } = asked.place.centre;
    const located = await this.places.find(asked.place, request.ip);
    if (!located && by === 'postal code') args.report(namesPlace(args), 'names a place that is not known');
    rejectIssues(args);
    const visibleAt = this.settings.DISCOVERY_PAST_EVENTS === 'hide' ? this.clock.now() : undefined;
    const recommended = located
      ? await this.recommendations.find({ ...asked.search, near: located.near, visibleAt })
      : NO_RESULT;
    const text = bulkText('recommendations', recommended, asked.search, located?.geolocation);
    await sendAnswer({ request, reply }, text, presentation, { freshFor: 'stock', personal: by === 'caller' });
  }
}

/** An IP address without a known place is not an error of the caller: the specification has a geolocation without success. */
const NO_RESULT: SearchResult = { total: 0, documents: [] };

/** The name of the argument that gives the place. `geoip` wins over `postal_code` unless it is `false`. */
function namesPlace(args: ArgumentReader): string {
  return /^false$/i.test(args.text('geoip') ?? 'false') ? 'postal_code' : 'geoip';
}
