import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';
import type { DuePayment } from './due-payments.js';

@Injectable()
export class PaymentQueue extends JobQueue<DuePayment> {
  constructor(backend: QueueBackend) {
    super('payments', backend);
  }
}
