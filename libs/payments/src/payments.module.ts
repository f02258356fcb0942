import { Module } from '@nestjs/common';
import { PaymentProviders } from './payment-providers.js';

/** The payment providers that are configured. */
@Module({ providers: [PaymentProviders], exports: [PaymentProviders] })
export class PaymentsModule {}
