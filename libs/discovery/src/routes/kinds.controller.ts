import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CatalogueSearch } from '../catalogue-search.js';
import type { WireDocument } from '../search/query/wire-document.js';
import { GenresAnswer, TaxonomiesAnswer } from './kinds.contract.js';
import { bulkText } from './answer-text.js';
import { ApiDiscovery } from './api-discovery.js';
import { argumentsOf, type DiscoveryRequest } from './discovery-request.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { paging, sorting } from './page-arguments.js';
import { PRESENTATION, rejectIssues } from './presentation.js';
import { type Exchange, sendAnswer } from './send-answer.js';

const PAGES = paging({ perPage: 'documents a page; without it all of them', page: 'counts from 1; needs per_page' });
const SORT = sorting('id.asc');

/** Taxonomies and genres: few enough to return all at once. */
@ApiTags('discovery')
@Controller('2')
@UseGuards(DiscoveryGuard)
export class KindsController {
  constructor(private readonly catalogue: CatalogueSearch) {}

  @Get('taxonomies')
  @ApiDiscovery('listTaxonomies', 'List all taxonomies', TaxonomiesAnswer, [PAGES, SORT])
  taxonomies(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send('taxonomies', { request, reply }, () => this.catalogue.taxonomies());
  }

  @Get('genres')
  @ApiDiscovery('listGenres', 'List all genres of music', GenresAnswer, [PAGES, SORT])
  genres(@Req() request: DiscoveryRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send('genres', { request, reply }, () => this.catalogue.genres());
  }

  async #send(
    name: 'taxonomies' | 'genres',
    exchange: Exchange,
    read: () => Promise<readonly WireDocument[]>,
  ): Promise<void> {
    const args = argumentsOf(exchange.request);
    const presentation = PRESENTATION.read(args);
    const pages = PAGES.read(args);
    const sort = SORT.read(args);
    rejectIssues(args);
    const documents = await read();
    // Their only sortable field is the id.
    const ordered = sort?.field === 'id' && sort.direction === 'desc' ? documents.toReversed() : documents;
    const { page, perPage } = args.has('per_page') ? pages : { page: 1, perPage: documents.length };
    const shown = ordered.slice((page - 1) * perPage, page * perPage);
    const text = bulkText(name, { total: documents.length, documents: shown }, { page, perPage });
    await sendAnswer(exchange, text, presentation, { freshFor: 'kinds' });
  }
}
