import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  isOrderTransferKind,
  Job,
  JobList,
  JobPreview,
  JobQuery,
  JobResultList,
  JobResultQuery,
  JobUndoRequest,
  NewJob,
} from '../job.contract.js';
import { Jobs } from './jobs.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError, orNotFound } from '#web/http-error';
import { optionalBody } from '#web/optional-body';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { JobRequests } from './job-requests.js';
import { auditedExport } from './audited-export.js';
import { isInClear, OrderTransfers } from './order-transfers.js';
import { JobView } from './job-view.js';

/** The same change to many orders. Workers do it. */
@ApiTags('back office: jobs')
@Controller('backoffice/v1/jobs')
@ForStaff(['runs:act'])
export class JobsController {
  constructor(
    private readonly requests: JobRequests,
    private readonly jobs: Jobs,
    private readonly view: JobView,
    private readonly transfers: OrderTransfers,
  ) {}

  @Post()
  @Audit('job.started', 'job')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startJob',
    summary: 'Change or export many orders, or say what would happen; some jobs wait for a second person',
  })
  @ApiAcceptedResponse({ standardSchema: Job })
  @ApiOkResponse({ standardSchema: JobPreview, description: 'on a dry run' })
  @ApiErrors(40000, 40001, 40100, 42201)
  async start(
    @Body({ schema: NewJob }) wanted: NewJob,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Job | JobPreview> {
    const isExport = wanted.kind === 'export_orders';
    if (wanted.dry_run) {
      skipAudit(request);
      const preview = isExport
        ? await this.transfers.previewExport(wanted, caller)
        : await this.requests.preview(wanted, caller);
      void reply.status(200);
      return preview;
    }
    const job = isExport
      ? await this.transfers.beginExport(wanted, caller)
      : await this.view.shown(await this.requests.begin(wanted, caller), caller);
    auditDetail(request, { kind: job.kind, total: job.total });
    if (isExport) auditDetail(request, { in_clear: isInClear(wanted, caller), ...auditedExport(wanted) });
    return job;
  }

  @Get()
  @ApiOperation({ operationId: 'listJobs', summary: 'List jobs, newest first' })
  @ApiOkResponse({ standardSchema: JobList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: JobQuery }) { state, event_id: showId, limit, cursor }: JobQuery,
    @StaffCaller() caller: Caller,
  ): Promise<JobList> {
    const before = readCursor(cursor, (text) => (/^job_[0-9a-f]{32}$/.test(text) ? text : undefined));
    const found = await this.jobs.list({ state, showId, limit: limit + 1, before });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    return { jobs: await this.view.allShown(page, caller), next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getJob', summary: 'Read the progress of a job' })
  @ApiOkResponse({ standardSchema: Job })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.jobs.find(id), 'job'), caller);
  }

  @Get(':id/preview')
  @ApiOperation({ operationId: 'previewJob', summary: 'What a job that waits for approval would do if it began now' })
  @ApiOkResponse({ standardSchema: JobPreview })
  @ApiErrors(40100, 40400, 40902)
  async preview(@Param('id') id: string): Promise<JobPreview> {
    const job = orNotFound(await this.jobs.find(id), 'job');
    if (job.state !== 'waiting_for_approval') throw HttpError.with(40902, 'the job does not wait for approval');
    return isOrderTransferKind(job.kind) ? await this.transfers.previewOf(job) : await this.requests.previewOf(job);
  }

  @Get(':id/results')
  @ApiOperation({ operationId: 'listJobResults', summary: 'What became of each order until now' })
  @ApiOkResponse({ standardSchema: JobResultList })
  @ApiErrors(40001, 40100, 40400)
  async results(
    @Param('id') id: string,
    @Query({ schema: JobResultQuery }) { outcome, limit, cursor }: JobResultQuery,
  ): Promise<JobResultList> {
    orNotFound(await this.jobs.find(id), 'job');
    const after = readCursor(cursor, (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)) ?? 0;
    const found = await this.jobs.results(id, { outcome, limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ number }) => String(number));
    return { results: page.map(({ number: _number, ...result }) => result), next_cursor };
  }

  @Post(':id/pause')
  @Audit('job.paused', 'job')
  @HttpCode(200)
  @ApiOperation({ operationId: 'pauseJob', summary: 'Pause a running job, unless it has ended' })
  @ApiOkResponse({ standardSchema: Job })
  @ApiErrors(40100, 40400, 40902)
  async pause(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.jobs.pause(id), 'job'), caller);
  }

  @Post(':id/resume')
  @Audit('job.resumed', 'job')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeJob', summary: 'Resume a paused job, unless it has ended' })
  @ApiOkResponse({ standardSchema: Job })
  @ApiErrors(40100, 40400, 40902)
  async resume(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.jobs.resume(id), 'job'), caller);
  }

  @Post(':id/cancel')
  @Audit('job.cancelled', 'job')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelJob',
    summary: 'Cancel a job for good: orders that it has not changed stay as they are',
  })
  @ApiOkResponse({ standardSchema: Job })
  @ApiErrors(40100, 40400, 40902)
  async cancel(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.jobs.cancel(id), 'job'), caller);
  }

  @Post(':id/undo')
  @Audit('job.started', 'job')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'undoJob',
    summary: 'Take back what a job did, where the rules allow it and nobody has changed the order since',
  })
  @ApiOptionalBody(JobUndoRequest)
  @ApiAcceptedResponse({ standardSchema: Job })
  @ApiOkResponse({ standardSchema: JobPreview, description: 'on a dry run' })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async undo(
    @Param('id') id: string,
    @Body() body: unknown,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Job | JobPreview> {
    if (optionalBody(JobUndoRequest, body).dry_run) {
      skipAudit(request);
      void reply.status(200);
      return orNotFound(await this.requests.previewUndo(id, caller), 'job');
    }
    const job = orNotFound(await this.jobs.undo(id, caller.actor), 'job');
    if (job === 'not_possible') {
      throw HttpError.with(40902, 'the job has not ended, or did nothing that can be taken back');
    }
    auditDetail(request, { kind: job.kind, total: job.total, undoes: id });
    return await this.view.shown(job, caller);
  }

  @Post(':id/approve')
  @Audit('job.approved', 'job')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'approveJob',
    summary: 'Let a job begin that waits for approval, as another person than the one who began it',
  })
  @ApiOkResponse({ standardSchema: Job })
  @ApiErrors(40100, 40300, 40400, 40902)
  async approve(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Job> {
    return await this.view.shown(orNotFound(await this.requests.approve(id, caller), 'job'), caller);
  }
}
