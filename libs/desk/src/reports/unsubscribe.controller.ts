import { Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import {
  isReportSchedule,
  REPORT_SCHEDULES,
  type ReportSchedule,
  UnsubscribeQuery,
} from '../report-subscription.contract.js';
import { ReportLinks } from './report-links.js';
import { ReportSubscriptions } from './report-subscriptions.js';
import { AuditLog } from '#accounts/audit-log';
import { AddressLimit } from '#web/address-limit';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { CONTENT_SECURITY_POLICY, unsubscribedPage, unsubscribePage } from './unsubscribe-page.js';

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;
const HTML = 'text/html; charset=utf-8';

type Asked = Readonly<{ operatorId: string; schedule: string; signature: string }>;

/** Where the link in a report leads. The signature is the credential. */
@ApiTags('back office: reports')
@Controller('unsubscribe/:operator_id/:schedule')
export class UnsubscribeController {
  constructor(
    private readonly subscriptions: ReportSubscriptions,
    private readonly links: ReportLinks,
    private readonly audit: AuditLog,
    private readonly limit: AddressLimit,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Header('content-type', HTML)
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  @Header('referrer-policy', 'no-referrer')
  @ApiOperation({
    operationId: 'showUnsubscribe',
    summary: 'A page that asks whether to end a report. Changes nothing',
  })
  @ApiParam({ name: 'schedule', enum: [...REPORT_SCHEDULES] })
  @ApiOkResponse({ content: PAGE })
  @ApiErrors(40001, 40300, 42900)
  show(
    @Param('operator_id') operatorId: string,
    @Param('schedule') schedule: string,
    @Query({ schema: UnsubscribeQuery }) { signature }: UnsubscribeQuery,
    @Req() request: FastifyRequest,
  ): string {
    return unsubscribePage(this.checked({ operatorId, schedule, signature }, request));
  }

  @Post()
  @HttpCode(200)
  @Header('content-type', HTML)
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  @Header('referrer-policy', 'no-referrer')
  @ApiOperation({
    operationId: 'unsubscribeByLink',
    summary: 'End a report by the link of its e-mail, as mail programs do (RFC 8058). The body does not matter',
  })
  @ApiParam({ name: 'schedule', enum: [...REPORT_SCHEDULES] })
  @ApiOkResponse({ content: PAGE })
  @ApiErrors(40001, 40300, 42900)
  async end(
    @Param('operator_id') operatorId: string,
    @Param('schedule') asked: string,
    @Query({ schema: UnsubscribeQuery }) { signature }: UnsubscribeQuery,
    @Req() request: FastifyRequest,
  ): Promise<string> {
    const schedule = this.checked({ operatorId, schedule: asked, signature }, request);
    if (await this.subscriptions.remove(operatorId, schedule)) {
      await this.audit.record({
        // Whoever has the e-mail, which may be somebody else.
        actor: `link:${operatorId}`,
        action: 'report.unsubscribed',
        subject: `report:${schedule}`,
        transactionId: request.id,
        address: request.ip,
      });
    }
    return unsubscribedPage(schedule, `${this.settings.PUBLIC_URL}/reports`);
  }

  private checked({ operatorId, schedule, signature }: Asked, request: FastifyRequest): ReportSchedule {
    this.limit.admit(request);
    if (isReportSchedule(schedule) && this.links.isSigned({ operatorId, schedule }, signature)) return schedule;
    throw HttpError.with(40300, 'the link is not valid');
  }
}
