import { Module } from '@nestjs/common';
import { PeopleModule } from '#accounts/people.module';
import { MailOutboxModule } from '#mail/mail-outbox.module';
import { EscalationNotices } from './queues/escalation-notices.js';
import { Escalations } from './queues/escalations.js';
import { QueueClocks } from './queues/queue-clocks.js';
import { QueueCounts } from './queues/queue-counts.js';
import { Snoozes } from './queues/snoozes.js';
import { WorkItems } from './queues/work-items.js';
import { WorkQueues } from './queues/work-queues.js';

const providers = [WorkItems, WorkQueues, QueueCounts, QueueClocks, Snoozes, Escalations, EscalationNotices];

/** The work queues, and what happens to orders that stay there for too long. */
@Module({ imports: [PeopleModule, MailOutboxModule], providers, exports: providers })
export class WorkQueuesModule {}
