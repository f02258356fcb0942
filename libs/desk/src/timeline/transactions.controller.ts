import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Transaction } from './transaction.contract.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller } from '#accounts/staff-request';
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
