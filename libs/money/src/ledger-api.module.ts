import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { OrderRulesModule } from '#orders/order-rules.module';
import { FilledLedger } from './ledger/filled-ledger.js';
import { LedgerBalances } from './ledger/ledger-balances.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { LedgerList } from './ledger/ledger-list.js';
import { SellerPaymentsController } from './ledger/seller-payments.controller.js';
import { LedgerModule } from './ledger.module.js';

/** The ledger, and what sellers were paid, for staff. */
@Module({
  imports: [StaffModule, OrderRulesModule, LedgerModule],
  controllers: [LedgerController, SellerPaymentsController],
  providers: [FilledLedger, LedgerBalances, LedgerList],
})
export class LedgerApiModule {}
