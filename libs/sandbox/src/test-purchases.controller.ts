import { Controller, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import type { StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { UnbuyableListing } from './purchase-request.js';
import { TestPurchase } from './test-purchase.contract.js';
import { TestPurchases } from './test-purchases.js';

/** Lets an administrator see what a purchase does, before a platform is connected. */
@ApiTags('back office: first steps')
@Controller('backoffice/v1/test-purchases')
@ForStaff(['admin'])
export class TestPurchasesController {
  constructor(private readonly purchases: TestPurchases) {}

  @Post()
  @Audit('test_ticket.bought', 'order')
  @ApiOperation({
    operationId: 'buyTestTicket',
    summary: 'Have the built-in platform buy; only with SANDBOX',
  })
  @ApiCreatedResponse({ standardSchema: TestPurchase })
  @ApiErrors(40100, 40901)
  async buy(@Req() { id }: StaffRequest): Promise<TestPurchase> {
    try {
      return { id: await this.purchases.buy(id) };
    } catch (error) {
      if (error instanceof UnbuyableListing) throw HttpError.with(40901, error.message);
      throw error;
    }
  }
}
