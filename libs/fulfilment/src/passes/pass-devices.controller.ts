import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { PassAccess } from './pass-access.js';
import { PassRegistrations } from './pass-registrations.js';
import { UpdatedPassesQuery, UpdatedPassList } from './pass.contract.js';

/** Apple's web service for passes: which devices have which. */
@ApiTags('passes')
@Controller('passes/v1/devices/:device/registrations/:pass_type')
export class PassDevicesController {
  constructor(
    private readonly access: PassAccess,
    private readonly registrations: PassRegistrations,
  ) {}

  @Post(':serial')
  @ApiSecurity('pass')
  @ApiOperation({
    operationId: 'registerPass',
    summary: 'A device has this pass; its pushToken is not kept',
  })
  @ApiCreatedResponse({ description: 'noted' })
  @ApiOkResponse({ description: 'known already' })
  @ApiErrors(40100, 40400, 42900)
  async register(
    @Param('device') device: string,
    @Param('pass_type') passType: string,
    @Param('serial') serial: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.access.admitOwner(passType, serial, request);
    const isNew = orNotFound(await this.registrations.add(device, serial), 'pass');
    await reply.status(isNew ? 201 : 200).send();
  }

  @Delete(':serial')
  @HttpCode(200)
  @ApiSecurity('pass')
  @ApiOperation({ operationId: 'unregisterPass', summary: 'A device no longer has this pass' })
  @ApiOkResponse({ description: 'it is forgotten' })
  @ApiErrors(40100, 40400, 42900)
  async unregister(
    @Param('device') device: string,
    @Param('pass_type') passType: string,
    @Param('serial') serial: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    this.access.admitOwner(passType, serial, request);
    await this.registrations.remove(device, serial);
  }

  @Get()
  @ApiOperation({ operationId: 'listUpdatedPasses', summary: 'The passes of a device that have changed since' })
  @ApiOkResponse({ standardSchema: UpdatedPassList })
  @ApiNoContentResponse({ description: 'none has' })
  @ApiErrors(40001, 40400, 42900)
  async updated(
    @Param('device') device: string,
    @Param('pass_type') passType: string,
    @Query({ schema: UpdatedPassesQuery }) { passesUpdatedSince: since }: UpdatedPassesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpdatedPassList | undefined> {
    this.access.admitDevice(passType, request);
    const found = await this.registrations.updatedSince(device, since);
    if (found === undefined) return void reply.status(204);
    return { ...found, serialNumbers: [...found.serialNumbers] };
  }
}
