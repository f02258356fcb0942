import { Body, Controller, Get, Headers, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { FraudDryRunBody, FraudRuleList, FraudRulesBody, ScreeningDryRun } from '../screening.contract.js';
import { ScreeningDryRuns } from './screening-dry-runs.js';
import type { FraudRule } from './compiled-rules.js';
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
@Controller('backoffice/v1/fraud-rules')
@ForStaff(['runs:act'])
export class FraudRulesController {
  constructor(
    private readonly rules: ScreeningRules,
    private readonly dryRuns: ScreeningDryRuns,
    private readonly samples: SampledOrders,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listFraudRules', summary: 'The rules that hold new orders for review, or reject them' })
  @ApiOkResponse({ standardSchema: FraudRuleList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply): Promise<FraudRuleList> {
    const saved = await this.rules.current('fraud_rules');
    checkBuyerConditions(caller, saved.list);
    return answered(saved, reply);
  }

  @Put()
  @ApiIfMatch()
  @Audit('fraud_rules.changed', 'fraud_rules')
  @ApiOperation({
    operationId: 'replaceFraudRules',
    summary: 'Replace all fraud rules. They look at each new purchase, but not at those of trusted users',
  })
  @ApiOkResponse({ standardSchema: FraudRuleList })
  @ApiErrors(40000, 40001, 40100, 41201)
  async replace(
    @Body({ schema: FraudRulesBody }) { version, rules: sent }: FraudRulesBody,
    @StaffCaller() caller: Caller,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FraudRuleList> {
    checkBuyerConditions(caller, sent);
    const drafts = sent.map(({ id, score, action, ...rule }) => ({
      ...(id && { id }),
      ...rule,
      ...(score && { score }),
      ...rejecting(action),
    }));
    const { expectedVersion: expected } = expectedVersion(ifMatch, version);
    const saved = await this.rules.save('fraud_rules', drafts, caller.actor, expected);
    const rules = saved.list;
    const summary = rules.map(({ id, score, action, enabled }) => ({
      id,
      ...(score && { score }),
      ...(action && { action }),
      enabled,
    }));
    auditDetail(request, { rules: summary });
    return answered(saved, reply);
  }

  @Post('dry-run')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'dryRunFraudRules',
    summary: 'What fraud rules would have done with the purchases of the past, except those of trusted users',
  })
  @ApiOkResponse({ standardSchema: ScreeningDryRun })
  @ApiErrors(40000, 40001, 40100)
  async dryRun(
    @Body({ schema: FraudDryRunBody }) { rule, rules = [], from, to }: FraudDryRunBody,
    @StaffCaller() caller: Caller,
  ): Promise<ScreeningDryRun> {
    const asked = rule ? [rule] : rules.filter(({ enabled }) => enabled);
    checkBuyerConditions(caller, asked);
    const compiled = asked.map(({ where, score, action }) => {
      const effect = { ...(score && { score }), ...rejecting(action) };
      return this.rules.compiledRule({ id: '', name: '', where, enabled: true, ...effect });
    });
    const found = await this.dryRuns.ofFraudRules(compiled, { from, to }, rule !== undefined);
    return await this.samples.of(found, caller);
  }
}

/** To hold is what a rule does without an action. */
function rejecting(action: string | null | undefined): Pick<FraudRule, 'action'> {
  return action === 'reject' ? { action } : {};
}

function answered({ version, list }: SavedList<'fraud_rules'>, reply: FastifyReply): FraudRuleList {
  reply.header('etag', `"${version}"`);
  return { version, rules: list.map(shown) };
}

function shown({ where, ...rule }: FraudRule): FraudRuleList['rules'][number] {
  return { ...rule, where: { ...where } };
}
