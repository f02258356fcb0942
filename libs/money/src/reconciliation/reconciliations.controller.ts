import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ClientRegistry } from '#accounts/clients';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { PaymentProviders } from '#payments/payment-providers';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError, orNotFound } from '#web/http-error';
import { LISTING_FILE_TYPES } from '#web/listing-file-types';
import { uploadOf, withLongUpload } from '#web/long-upload';
import {
  BegunReconciliation,
  NewReconciliation,
  Reconciliation,
  ReconciliationList,
  ReconciliationQuery,
  RemittanceQuery,
} from '../reconciliation.contract.js';
import { Reconciliations } from '../reconciliations.js';
import { RemittanceFault } from '../remittance-file.js';

const CSV_TYPES = Object.keys(LISTING_FILE_TYPES).filter((type) => LISTING_FILE_TYPES[type] === 'csv');

/** Comparisons of our books with a provider's list, or with what a client paid. */
@ApiTags('back office: money')
@Controller('backoffice/v1/reconciliations')
@ForStaff(['money:read'])
export class ReconciliationsController {
  constructor(
    private readonly reconciliations: Reconciliations,
    private readonly providers: PaymentProviders,
    private readonly clients: ClientRegistry,
  ) {}

  @Post()
  @Permit(['money:act'])
  @Audit('reconciliation.started', 'reconciliation')
  @HttpCode(202)
  @ApiOperation({ operationId: 'reconcileProvider', summary: 'Compare the books with the list of a payment provider' })
  @ApiAcceptedResponse({ standardSchema: BegunReconciliation })
  @ApiErrors(40000, 40001, 40100)
  async begin(
    @Body({ schema: NewReconciliation }) { provider, from, to }: NewReconciliation,
    @Req() request: StaffRequest,
  ): Promise<BegunReconciliation> {
    if (!this.providers.find(provider)) throw HttpError.with(40001, 'provider: is not configured');
    auditDetail(request, { provider, from, to });
    return await this.reconciliations.beginList(provider, { from, to, requestedBy: callerOf(request).actor });
  }

  /** `POST …/reconciliations?client_id=` leads here (server.ts), because the body is a stream. */
  @Post('import')
  @Permit(['money:act'])
  @Audit('reconciliation.started', 'reconciliation')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'reconcileRemittance',
    summary:
      'Compare the books with what a wholesale client paid, also as POST /backoffice/v1/reconciliations?client_id=',
  })
  @ApiConsumes(...CSV_TYPES)
  @ApiBody({
    required: true,
    schema: { type: 'string' },
    description: 'CSV with a header row and any separator: `ref_id` or `order_id`, `amount`, `paid_on` (YYYY-MM-DD)',
  })
  @ApiAcceptedResponse({ standardSchema: BegunReconciliation })
  @ApiErrors(40000, 40001, 40100, 41500)
  async beginRemittance(
    @Query({ schema: RemittanceQuery }) { client_id: clientId, from, to }: RemittanceQuery,
    @Req() request: StaffRequest,
  ): Promise<BegunReconciliation> {
    const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!CSV_TYPES.includes(mediaType)) throw HttpError.with(41500, CSV_TYPES.join(', '));
    const known = await this.clients.list();
    if (!known.some((client) => client.client_id === clientId)) {
      throw HttpError.with(40001, 'client_id: there is no such client');
    }
    auditDetail(request, { client_id: clientId, from, to });
    // A file that is refused must not destroy the upload, because the answer would be lost with it.
    const upload = uploadOf(request).iterator({ destroyOnReturn: false });
    const asked = { from, to, requestedBy: callerOf(request).actor };
    try {
      return await withLongUpload(request, () => this.reconciliations.beginRemittance(clientId, upload, asked));
    } catch (fault) {
      if (request.raw.readableAborted) throw HttpError.with(40000, 'the upload broke off');
      throw fault instanceof RemittanceFault ? HttpError.with(40001, fault.message) : fault;
    }
  }

  @Get()
  @ApiOperation({ operationId: 'listReconciliations', summary: 'The comparisons, newest first' })
  @ApiOkResponse({ standardSchema: ReconciliationList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: ReconciliationQuery }) { limit, cursor }: ReconciliationQuery,
  ): Promise<ReconciliationList> {
    const after = readCursor(cursor, (text) => (/^rec_\w+$/.test(text) ? text : undefined));
    const found = await this.reconciliations.page({ limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    return { reconciliations: page, next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getReconciliation', summary: 'A comparison, with what differs' })
  @ApiOkResponse({ standardSchema: Reconciliation })
  @ApiErrors(40100, 40400)
  async get(@Param('id') id: string): Promise<Reconciliation> {
    return orNotFound(await this.reconciliations.find(id), 'reconciliation');
  }
}
