import { Module } from '@nestjs/common';
import { KeyedLogModule } from '#event-store/keyed-log';
import { LedgerFilling } from './ledger/ledger-filling.js';
import { MoneyEventStore } from './ledger/money-event-store.js';
import { ProviderPayouts } from './ledger/provider-payouts.js';
import { SellerPayments } from './ledger/seller-payments.js';

const providers = [MoneyEventStore, ProviderPayouts, SellerPayments, LedgerFilling];

/** Money that belongs to no order, and the ledger of what came before it. */
@Module({ imports: [KeyedLogModule], providers, exports: providers })
export class LedgerModule {}
