import { Body, Controller, Get, Headers, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PoliciesBody, PolicyDryRunBody, PolicyList, ScreeningDryRun } from '../screening.contract.js';
import { ScreeningDryRuns } from './screening-dry-runs.js';
import type { Policy } from './compiled-rules.js';
import { type SavedList, ScreeningRules } from './screening-rules.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { checkBuyerConditions } from './buyer-conditions.js';
import { SampledOrders } from './sampled-orders.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/policies')
@ForStaff(['runs:act'])
export class PoliciesController {
  constructor(
    private readonly rules: ScreeningRules,
    private readonly dryRuns: ScreeningDryRuns,
    private readonly samples: SampledOrders,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listPolicies', summary: 'The policies that accept or deny orders by themselves' })
  @ApiOkResponse({ standardSchema: PolicyList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply): Promise<PolicyList> {
    const saved = await this.rules.current('policies');
    checkBuyerConditions(caller, saved.list);
    return answered(saved, reply);
  }

  @Put()
  @ApiIfMatch()
  @Audit('policies.changed', 'policies')
  @ApiOperation({
    operationId: 'replacePolicies',
    summary:
      'Replace all policies. They answer new orders that would wait for their broker; the first one that holds decides',
  })
  @ApiOkResponse({ standardSchema: PolicyList })
  @ApiErrors(40000, 40001, 40100, 41201)
  async replace(
    @Body({ schema: PoliciesBody }) { version, policies: sent }: PoliciesBody,
    @StaffCaller() caller: Caller,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyList> {
    checkBuyerConditions(caller, sent);
    const drafts = sent.map(({ id, reason, ...policy }) => ({
      ...(id && { id }),
      ...policy,
      ...(reason && { reason }),
    }));
    const { expectedVersion: expected } = expectedVersion(ifMatch, version);
    const saved = await this.rules.save('policies', drafts, caller.actor, expected);
    const policies = saved.list;
    auditDetail(request, { policies: policies.map(({ id, action, enabled }) => ({ id, action, enabled })) });
    return answered(saved, reply);
  }

  @Post('dry-run')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'dryRunPolicy',
    summary: 'What a policy would have done with the orders that waited for their broker',
  })
  @ApiOkResponse({ standardSchema: ScreeningDryRun })
  @ApiErrors(40000, 40001, 40100)
  async dryRun(
    @Body({ schema: PolicyDryRunBody }) { policy, from, to }: PolicyDryRunBody,
    @StaffCaller() caller: Caller,
  ): Promise<ScreeningDryRun> {
    checkBuyerConditions(caller, [policy]);
    const compiled = this.rules.compiledPolicy({
      id: '',
      name: '',
      action: 'accept',
      where: policy.where,
      enabled: true,
    });
    return await this.samples.of(await this.dryRuns.ofPolicy(compiled, { from, to }), caller);
  }
}

function answered({ version, list }: SavedList<'policies'>, reply: FastifyReply): PolicyList {
  reply.header('etag', `"${version}"`);
  return { version, policies: list.map(shown) };
}

function shown({ where, ...policy }: Policy): PolicyList['policies'][number] {
  return { ...policy, where: { ...where } };
}
