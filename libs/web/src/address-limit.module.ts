import { Module } from '@nestjs/common';
import { AddressLimit } from './address-limit.js';

/** One limit for each address over all pages for anyone. */
@Module({
  providers: [AddressLimit],
  exports: [AddressLimit],
})
export class AddressLimitModule {}
