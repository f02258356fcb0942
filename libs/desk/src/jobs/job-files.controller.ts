import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DownloadQuery, JobFileQuery } from '../files/order-transfer.contract.js';
import { JobLinks } from '../files/job-links.js';
import { type JobFile, OrderTransferJobs } from '../order-transfer-jobs.js';
import type { Caller } from '#accounts/caller';
import { LiveActors } from '#accounts/live-actors';
import { PersonalReads } from '#accounts/personal-reads';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { readRequestOf } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';

const BINARY = { schema: { type: 'string', format: 'binary' } };
const FILE = {
  content: {
    'text/csv': BINARY,
    'application/x-ndjson': BINARY,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': BINARY,
  },
};

/** The files that exports have written. */
@ApiTags('back office: jobs')
@Controller('backoffice/v1/jobs')
@ForStaff(['runs:act'])
export class JobFilesController {
  constructor(
    private readonly jobs: OrderTransferJobs,
    private readonly reads: PersonalReads,
  ) {}

  @Get(':id/file')
  @ApiOperation({
    operationId: 'downloadJobFile',
    summary: 'Download the file of an export, for 24 hours after it is done',
  })
  @ApiOkResponse(FILE)
  @ApiErrors(40001, 40100, 40300, 40400)
  async read(
    @Param('id') id: string,
    @Query({ schema: JobFileQuery }) query: JobFileQuery,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = orNotFound(await this.jobs.find(id), 'file');
    if (file.in_clear && !this.reads.inClear(caller)) {
      throw HttpError.with(40300, 'the file shows personal data in clear: export it yourself');
    }
    await this.reads.settle(caller, readRequestOf(request));
    await send(reply, file, this.jobs, query);
  }
}

/** Where signed links lead. The signature is the credential. */
@ApiTags('back office: jobs')
@Controller('downloads')
export class DownloadsController {
  constructor(
    private readonly jobs: OrderTransferJobs,
    private readonly links: JobLinks,
    private readonly actors: LiveActors,
  ) {}

  @Get(':id')
  @ApiOperation({ operationId: 'downloadByLink', summary: 'Download the file of an export by its signed link' })
  @ApiOkResponse(FILE)
  @ApiErrors(40001, 40300, 40400)
  async read(
    @Param('id') id: string,
    @Query({ schema: DownloadQuery }) query: DownloadQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const checked = this.links.check(id, query);
    if (checked !== 'valid') {
      throw HttpError.with(40300, checked === 'expired' ? 'the link has expired' : 'the link is not valid');
    }
    const maker = this.links.makerOf(id, query);
    if (maker !== undefined && !(await this.actors.isLive(maker))) throw HttpError.with(40300, 'the link has expired');
    await send(reply, orNotFound(await this.jobs.find(id), 'file'), this.jobs, query);
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Streams the file: it may be larger than the memory. */
async function send(reply: FastifyReply, file: JobFile, jobs: OrderTransferJobs, { bom }: JobFileQuery): Promise<void> {
  const pieces = jobs.read(file);
  const begin = await pieces.next();
  const first = begin.done ? Buffer.alloc(0) : begin.value;
  const isMarked = file.type.startsWith('text/csv') && first.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const omitted = isMarked && bom === 'false' ? BYTE_ORDER_MARK.length : 0;
  const content = async function* () {
    yield first.subarray(omitted);
    yield* pieces;
  };
  void reply
    .type(file.type)
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .header('content-length', file.bytes - omitted)
    .header('cache-control', 'no-store')
    .send(Readable.from(content(), { objectMode: false }));
}
