import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CatalogueSearch } from '../catalogue-search.js';
import { DiscoveryPerformer, PerformersAnswer } from './performer.contract.js';
import { bulkText } from './answer-text.js';
import { ApiDiscovery } from './api-discovery.js';
import { argumentsOf, type DiscoveryRequest } from './discovery-request.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { sendOne } from './one-document.js';
import { PRESENTATION, rejectIssues } from './presentation.js';
import { PERFORMER_SEARCH } from './searches.js';
import { sendAnswer } from './send-answer.js';

@ApiTags('discovery')
@Controller('2/performers')
@UseGuards(DiscoveryGuard)
export class PerformersController {
  constructor(private readonly catalogue: CatalogueSearch) {}

  @Get()
  @ApiDiscovery('searchPerformers', 'Find performers', PerformersAnswer, [PERFORMER_SEARCH])
  async find(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    const args = argumentsOf(request);
    const presentation = PRESENTATION.read(args);
    const search = PERFORMER_SEARCH.read(args);
    rejectIssues(args);
    const text = bulkText('performers', await this.catalogue.performers(search), search);
    await sendAnswer({ request, reply }, text, presentation, { freshFor: 'stock' });
  }

  @Get(':id')
  @ApiDiscovery('getPerformer', 'Read one performer', DiscoveryPerformer)
  one(@Param('id') id: string, @Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    return sendOne(this.catalogue, 'performer', id, { request, reply });
  }
}
