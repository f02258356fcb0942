import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Job, JobPreview } from '../job.contract.js';
import { ImportQuery } from '../files/order-transfer.contract.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { uploadOf, withLongUpload } from '#web/long-upload';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { OrderTransfers } from './order-transfers.js';

const TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

/** `POST …/jobs?kind=import_orders` leads here (server.ts), because the body is a stream. */
@ApiTags('back office: jobs')
@Controller('backoffice/v1/jobs')
@ForStaff(['orders:import'])
export class JobImportsController {
  constructor(private readonly transfers: OrderTransfers) {}

  @Post('import')
  @Audit('job.started', 'job')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'importOrders',
    summary:
      'Import past orders from the lines of an NDJSON export, also as POST /backoffice/v1/jobs?kind=import_orders',
  })
  @ApiConsumes(...TYPES)
  @ApiBody({ required: true, schema: { type: 'string' }, description: 'an order a line, as `export_orders` writes it' })
  @ApiAcceptedResponse({ standardSchema: Job })
  @ApiOkResponse({ standardSchema: JobPreview, description: 'on a dry run' })
  @ApiErrors(40000, 40001, 40100, 41500)
  async import(
    @Query({ schema: ImportQuery }) { dry_run: dryRun = 'false' }: ImportQuery,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Job | JobPreview> {
    const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!TYPES.includes(mediaType)) throw HttpError.with(41500, TYPES.join(', '));
    // An import that stops early must not destroy the upload, because the answer would be lost with it.
    const upload = uploadOf(request).iterator({ destroyOnReturn: false });
    try {
      if (dryRun === 'true') {
        skipAudit(request);
        const preview = await withLongUpload(request, () => this.transfers.previewImport(upload));
        void reply.status(200);
        return preview;
      }
      const job = await withLongUpload(request, () => this.transfers.beginImport(upload, caller));
      auditDetail(request, { kind: job.kind, total: job.total });
      return job;
    } catch (fault) {
      throw request.raw.readableAborted ? HttpError.with(40000, 'the upload broke off') : fault;
    }
  }
}
