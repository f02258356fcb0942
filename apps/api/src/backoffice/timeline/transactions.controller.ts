import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Transaction } from '#contracts/backoffice/transaction';
import type { Caller } from '#people/caller';
import { ApiErrors } from '../../http/api-errors.js';
import { orNotFound } from '../../http/http-error.js';
import { ForStaff } from '../../people/permission.guard.js';
import { StaffCaller } from '../../people/staff-request.js';
import { Transactions } from './transactions.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/transactions')
@ForStaff(['orders:read'])
export class TransactionsController {
  constructor(private readonly transactions: Transactions) {}

  @Get(':transaction_id')
  @ApiOperation({ operationId: 'getTransaction', summary: 'What a request caused: events, payments and pings' })
  @ApiOkResponse({ standardSchema: Transaction })
  @ApiErrors(40100, 40400)
  async read(@Param('transaction_id') id: string, @StaffCaller() { permissions }: Caller): Promise<Transaction> {
    return orNotFound(await this.transactions.find(id, permissions.includes('delivery:read')), 'transaction');
  }
}
