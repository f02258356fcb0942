import { Controller, Delete, Get, HttpCode, Param, Put, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  isReportSchedule,
  REPORT_SCHEDULES,
  ReportSubscription,
  ReportSubscriptionList,
} from '../report-subscription.contract.js';
import { ReportSubscriptions } from './report-subscriptions.js';
import { type Caller, operatorIdOf } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';

@ApiTags('back office: reports')
@Controller('backoffice/v1/report-subscriptions')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class ReportSubscriptionsController {
  constructor(private readonly subscriptions: ReportSubscriptions) {}

  @Get()
  @ApiOperation({ operationId: 'listReportSubscriptions', summary: 'The reports that you get by e-mail' })
  @ApiOkResponse({ standardSchema: ReportSubscriptionList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller): Promise<ReportSubscriptionList> {
    const id = operatorIdOf(caller);
    return { subscriptions: id === undefined ? [] : await this.subscriptions.of(id) };
  }

  @Put(':schedule')
  @Audit('report.subscribed', 'report')
  @ApiOperation({
    operationId: 'subscribeToReport',
    summary: 'Get a report of the orders of each day or week by e-mail, from the period that is on now',
  })
  @ApiParam({ name: 'schedule', enum: [...REPORT_SCHEDULES] })
  @ApiOkResponse({ standardSchema: ReportSubscription })
  @ApiErrors(40100, 40400)
  async subscribe(
    @Param('schedule') schedule: string,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<ReportSubscription> {
    if (!isReportSchedule(schedule)) throw HttpError.notFound('schedule');
    const id = operatorIdOf(caller);
    if (id === undefined)
      throw HttpError.with(40300, 'an operator must ask for it, because a token has no e-mail address');
    if (!(await this.subscriptions.add(id, schedule))) skipAudit(request);
    const all = await this.subscriptions.of(id);
    return orNotFound(
      all.find((one) => one.schedule === schedule),
      'subscription',
    );
  }

  @Delete(':schedule')
  @HttpCode(204)
  @Audit('report.unsubscribed', 'report')
  @ApiOperation({ operationId: 'unsubscribeFromReport', summary: 'Get a report no longer' })
  @ApiParam({ name: 'schedule', enum: [...REPORT_SCHEDULES] })
  @ApiNoContentResponse({ description: 'You get no further report.' })
  @ApiErrors(40100, 40400)
  async unsubscribe(@Param('schedule') schedule: string, @StaffCaller() caller: Caller): Promise<void> {
    const id = operatorIdOf(caller);
    if (id === undefined || !isReportSchedule(schedule) || !(await this.subscriptions.remove(id, schedule))) {
      throw HttpError.notFound('subscription');
    }
  }
}
