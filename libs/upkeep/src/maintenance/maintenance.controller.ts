import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MaintenanceRun, MaintenanceRunList, MaintenanceRunQuery, NewMaintenanceRun } from '../maintenance.contract.js';
import { MaintenanceRuns, type RecordedRun } from './maintenance-runs.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';

/** Rebuilds need the owner's login, which the api does not have. It only records the requests. */
@ApiTags('back office: maintenance')
@Controller('backoffice/v1/maintenance-runs')
@ForStaff(['delivery:read'])
export class MaintenanceController {
  constructor(
    private readonly runs: MaintenanceRuns,
    private readonly names: OperatorNames,
  ) {}

  @Post()
  @Permit(['admin'])
  @Audit('maintenance.requested', 'maintenance')
  @ApiOperation({
    operationId: 'requestMaintenance',
    summary: 'Ask for a rebuild, which a process with the rights of the owner does, or for a verification by a worker',
  })
  @ApiCreatedResponse({ standardSchema: MaintenanceRun })
  @ApiErrors(40000, 40001, 40100, 40902)
  async request(
    @Body({ schema: NewMaintenanceRun }) wanted: NewMaintenanceRun,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<MaintenanceRun> {
    const run = await this.runs.request(wanted, caller.actor);
    if (!run) throw HttpError.with(40902, 'another rebuild or verification waits or is running');
    auditDetail(request, wanted);
    return await this.view(run);
  }

  @Get()
  @ApiOperation({ operationId: 'listMaintenance', summary: 'List rebuilds and verifications, newest first' })
  @ApiOkResponse({ standardSchema: MaintenanceRunList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: MaintenanceRunQuery }) { kind, limit, cursor }: MaintenanceRunQuery,
  ): Promise<MaintenanceRunList> {
    const before = readCursor(cursor, (text) => (/^run_[0-9a-f]{32}$/.test(text) ? text : undefined));
    const found = await this.runs.list({ kind, limit: limit + 1, before });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    const names = await this.names.of(page.map(({ requested_by: actor }) => actor));
    return { runs: page.map((run) => viewOf(run, names)), next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getMaintenance', summary: 'Read the progress and the result of a run' })
  @ApiOkResponse({ standardSchema: MaintenanceRun })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<MaintenanceRun> {
    return await this.view(orNotFound(await this.runs.find(id), 'maintenance run'));
  }

  @Post(':id/cancel')
  @Permit(['admin'])
  @Audit('maintenance.cancelled', 'maintenance')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelMaintenance',
    summary: 'Cancel a run, at its next step if it is at work, unless it has ended',
  })
  @ApiOkResponse({ standardSchema: MaintenanceRun })
  @ApiErrors(40100, 40400, 40902)
  async cancel(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<MaintenanceRun> {
    return await this.view(orNotFound(await this.runs.cancel(id, caller.actor), 'maintenance run'));
  }

  private async view(run: RecordedRun): Promise<MaintenanceRun> {
    return viewOf(run, await this.names.of([run.requested_by]));
  }
}

function viewOf(run: RecordedRun, names: ReadonlyMap<string, string>): MaintenanceRun {
  const { result, elapsed_ms: _elapsed, cancelled_by: cancelledBy, ...shown } = run;
  return {
    ...shown,
    requested_by_name: names.get(run.requested_by) ?? null,
    requested_at: run.requested_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: run.finished_at?.toISOString() ?? null,
    cancelling: run.state === 'running' && cancelledBy !== null,
    seconds_left: run.state === 'running' ? secondsLeft(run) : null,
    rebuilt: result?.rebuilt ?? null,
    checked: result?.checked ?? null,
    found: result?.found ?? null,
    findings: result?.findings ?? null,
  };
}

// The pace of the first moments is too uncertain.
const KNOWN_AFTER_MS = 2_000;

function secondsLeft({ done, total, elapsed_ms: elapsed }: RecordedRun): number | null {
  if (elapsed === null || elapsed < KNOWN_AFTER_MS || done <= 0 || total <= 0) return null;
  return Math.round((elapsed * (total - done)) / done / 1_000);
}
