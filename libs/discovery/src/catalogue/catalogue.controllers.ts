import { Body, Controller, Delete, Get, Param, Put, Res, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Catalogue } from '../catalogue.js';
import { catalogueIdOf } from '../catalogue-id.js';
import {
  CATALOGUE_BODIES,
  type CatalogueBody,
  type CatalogueKind,
  LARGEST_CATALOGUE_ID,
} from '../catalogue.contract.js';
import { DiscoveryEvent } from '../routes/event.contract.js';
import { DiscoveryGenre, DiscoveryTaxonomy } from '../routes/kinds.contract.js';
import { DiscoveryPerformer } from '../routes/performer.contract.js';
import { DiscoveryVenue } from '../routes/venue.contract.js';
import { ApiErrors } from '#web/api-errors';
import { orNotFound, HttpError } from '#web/http-error';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';

/** The same three routes for each kind of document. */
export const catalogueControllers: readonly Type[] = [
  controllerFor('taxonomies', 'taxonomy', DiscoveryTaxonomy),
  controllerFor('genres', 'genre', DiscoveryGenre),
  controllerFor('venues', 'venue', DiscoveryVenue),
  controllerFor('performers', 'performer', DiscoveryPerformer),
  controllerFor('events', 'event', DiscoveryEvent),
];

function controllerFor<Kind extends CatalogueKind>(kind: Kind, one: string, document: z.ZodType): Type {
  const body = CATALOGUE_BODIES[kind];
  const name = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;

  @ApiTags('back office: catalogue')
  @Controller(`backoffice/v1/catalogue/${kind}`)
  @ForStaff(['listings:read'])
  class CatalogueController {
    constructor(readonly catalogue: Catalogue) {}

    @Put(':id')
    @Permit(['listings:write'])
    @Audit('catalogue.changed', `${one}`)
    @ApiOperation({
      operationId: `put${name}`,
      summary: `Create or replace one ${one}; documents that embed it change at once`,
    })
    @ApiParam({ name: 'id', type: 'integer' })
    @ApiOkResponse({ standardSchema: document })
    @ApiErrors(40000, 40001, 40100, 41300)
    async put(
      @Param('id') given: string,
      @Body({ schema: body }) fields: CatalogueBody<Kind>,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<string> {
      const id = idOf(given);
      const fault = await this.catalogue.put(kind, { ...fields, id });
      if (fault !== undefined) throw HttpError.with(40001, fault);
      return this.send(id, reply);
    }

    @Get(':id')
    @SellerScope('shared')
    @ApiOperation({ operationId: `getCatalogue${name}`, summary: `Read one ${one} as discovery shows it` })
    @ApiParam({ name: 'id', type: 'integer' })
    @ApiOkResponse({ standardSchema: document })
    @ApiErrors(40001, 40100, 40400)
    read(@Param('id') given: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
      return this.send(idOf(given), reply);
    }

    @Delete(':id')
    @Permit(['listings:write'])
    @Audit('catalogue.removed', `${one}`)
    @ApiOperation({
      operationId: `delete${name}`,
      summary: `Delete one ${one}, unless other documents refer to it`,
    })
    @ApiParam({ name: 'id', type: 'integer' })
    @ApiOkResponse({ standardSchema: document })
    @ApiErrors(40001, 40100, 40400, 40902)
    async remove(@Param('id') given: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
      const id = idOf(given);
      const text = await this.send(id, reply);
      const removal = await this.catalogue.remove(kind, id);
      if (removal === 'absent') throw HttpError.notFound(one);
      if (removal !== 'removed') throw HttpError.with(40902, `used by ${removal.usedBy}`);
      return text;
    }

    /** Sends the stored text: parsing it only to serialize it again would change nothing. */
    async send(id: number, reply: FastifyReply): Promise<string> {
      const text = orNotFound(await this.catalogue.find(kind, id), one);
      void reply.type('application/json; charset=utf-8');
      return text;
    }
  }

  return CatalogueController;
}

function idOf(given: string): number {
  const id = catalogueIdOf(given);
  if (id === undefined) throw HttpError.with(40001, `id: must be a whole number from 1 to ${LARGEST_CATALOGUE_ID}`);
  return id;
}
