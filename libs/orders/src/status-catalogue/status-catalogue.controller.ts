import { Body, Controller, Get, Headers, Put, Req } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import {
  StatusCatalogueDraft,
  StatusCataloguePreview,
  StatusCatalogueSource,
  StatusCatalogueView,
  StatusRoles,
} from '../status-catalogue.contract.js';
import { describeIssues } from '#web/issues.contract';
import { eventsOfStatus } from '#domain/order-events';
import { STATUS_ROLES, type StatusCatalogue } from '#domain/status-catalogue';
import { STATUS_VALUES, type StatusValue } from '#domain/status';
import { OrderRules } from '../order-changes.js';
import { type CatalogueDraft, StatusCatalogues } from '../status-catalogues.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { expectedVersion } from '#web/if-match';
import { jsonChanges } from '../desk/json-changes.js';

const IF_MATCH = {
  name: 'if-match',
  required: false,
  description: 'the quoted `version` that the draft was made from',
};

const BY_FILE = 'the file of STATUS_CATALOGUE_FILE decides: change it there';

@ApiTags('back office: orders')
@Controller('backoffice/v1/status-catalogue')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class StatusCatalogueController {
  constructor(
    private readonly rules: OrderRules,
    private readonly catalogues: StatusCatalogues,
    private readonly names: OperatorNames,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getStatusCatalogue', summary: 'The statuses in use, and which may follow which' })
  @ApiOkResponse({ standardSchema: StatusCatalogueView })
  read(): StatusCatalogueView {
    return this.view();
  }

  @Get('source')
  @Permit(['admin'])
  @ApiOperation({
    operationId: 'getStatusCatalogueSource',
    summary: 'The catalogue as it was written, to be edited, with who has saved which version',
  })
  @ApiOkResponse({ standardSchema: StatusCatalogueSource })
  @ApiErrors(40100)
  async source(): Promise<StatusCatalogueSource> {
    const [{ version, statuses, transitions, roles }, versions] = await Promise.all([
      this.catalogues.current(),
      this.catalogues.history(),
    ]);
    const names = await this.names.of(versions.map(({ saved_by: actor }) => actor));
    return {
      version,
      editable: !this.catalogues.isFromFile,
      statuses: statuses.map((status) => ({ ...status })),
      transitions: byStatus((from) => [...transitions[from]]),
      roles: { ...roles },
      events: byStatus((status) => [...eventsOfStatus(status)]),
      versions: versions.map(({ saved_at: at, saved_by: actor, ...saved }) => ({
        ...saved,
        saved_by: actor,
        saved_by_name: names.get(actor) ?? null,
        saved_at: at.toISOString(),
      })),
    };
  }

  @Put()
  @Permit(['admin'])
  @Audit('status_catalogue.changed', 'status_catalogue')
  @ApiOperation({
    operationId: 'saveStatusCatalogue',
    summary: 'Save a new version of the catalogue, which all processes use within seconds',
  })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ standardSchema: z.union([StatusCatalogueView, StatusCataloguePreview]) })
  @ApiErrors(40000, 40001, 40100, 40902, 41201)
  async save(
    @Body({ schema: StatusCatalogueDraft }) body: StatusCatalogueDraft,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
    @Headers('if-match') ifMatch?: string,
  ): Promise<StatusCatalogueView | StatusCataloguePreview> {
    if (this.catalogues.isFromFile) throw HttpError.with(40902, BY_FILE);
    const { dry_run: isDryRun, version: sent } = body;
    const { expectedVersion: expected } = expectedVersion(ifMatch, sent);
    const draft = draftOf(body);
    const issues = await this.catalogues.issuesOf(draft);
    if (issues.length > 0) throw HttpError.with(40001, describeIssues(issues));
    const before = await this.catalogues.current();
    const changes = jsonChanges(byCode(before), byCode(draft));
    if (isDryRun) return { dry_run: true, version: before.version, changes };
    const { version } = await this.catalogues.save(draft, caller.actor, expected);
    auditDetail(request, { version, changes });
    return this.view();
  }

  private view(): StatusCatalogueView {
    const { catalogue } = this.rules;
    const source = this.catalogues.isFromFile ? 'file' : catalogue.version > 1 ? 'saved' : 'built_in';
    return { ...viewOf(catalogue), source };
  }
}

/** The roles stand in one place, or at the statuses that have them. */
function draftOf({ statuses, transitions, roles }: StatusCatalogueDraft): CatalogueDraft {
  return {
    statuses: statuses.map(({ roles: _own, ...status }) => status),
    transitions,
    roles: roles ?? rolesAt(statuses),
  };
}

function rolesAt(statuses: StatusCatalogueDraft['statuses']): StatusRoles {
  const codes = STATUS_ROLES.map((role) => [role, statuses.find(({ roles }) => roles?.includes(role))?.status_code]);
  const { data, error } = StatusRoles.safeParse(Object.fromEntries(codes));
  if (error) throw HttpError.with(40001, `roles.${String(error.issues[0]?.path[0])}: is missing`);
  return data;
}

function viewOf(catalogue: StatusCatalogue): Omit<StatusCatalogueView, 'source'> {
  return {
    version: catalogue.version,
    statuses: catalogue.entries.map(({ status, event, label }) => {
      const roles = STATUS_ROLES.filter((role) => catalogue.role(role).status.status_code === status.status_code);
      return { ...status, label, event, roles };
    }),
    transitions: byStatus((from) => STATUS_VALUES.filter((to) => catalogue.allows(from, to))),
  };
}

function byStatus<T>(of: (status: StatusValue) => T): Record<StatusValue, T> {
  return { pending: of('pending'), confirmed: of('confirmed'), rejected: of('rejected'), exception: of('exception') };
}

/** A status that moves in the list does not change. Left out and null mean the same. */
function byCode({ statuses, transitions, roles }: CatalogueDraft) {
  return {
    statuses: Object.fromEntries(
      statuses.map(({ status_code: code, status, status_message: message, event = null, label = null }) => [
        code,
        { status, status_message: message, event, label },
      ]),
    ),
    transitions: byStatus((from) => STATUS_VALUES.filter((to) => transitions[from].includes(to))),
    roles,
  };
}
