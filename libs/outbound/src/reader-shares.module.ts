import { Module } from '@nestjs/common';
import { ReaderShares } from './reader-shares.js';

/** One share for each reader, whatever streams it reads. */
@Module({
  providers: [ReaderShares],
  exports: [ReaderShares],
})
export class ReaderSharesModule {}
