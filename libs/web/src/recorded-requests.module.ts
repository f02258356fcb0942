import { Module } from '@nestjs/common';
import { RecordedRequests } from '#platform/recorded-requests';
import { RequestPruning } from './request-pruning.js';

/** Requests that may have changed something. */
@Module({
  providers: [RecordedRequests, RequestPruning],
  exports: [RecordedRequests, RequestPruning],
})
export class RecordedRequestsModule {}
