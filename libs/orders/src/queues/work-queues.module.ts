import { Module } from '@nestjs/common';
import { PeopleModule } from '#people/people.module';
import { MailTransportModule } from '../mail/mail-transport.module.js';
import { EscalationNotices } from './escalation-notices.js';
import { Escalations } from './escalations.js';
import { OwnEscalations } from './own-escalations.js';
import { OwnQueueCounts } from './own-queue-counts.js';
import { OwnQueues } from './own-queues.js';
import { WorkItems } from './work-items.js';
import { WorkQueues } from './work-queues.js';

const providers = [WorkItems, WorkQueues, Escalations, OwnQueues, OwnQueueCounts, OwnEscalations, EscalationNotices];

/** The work queues, and what happens to orders that stay there for too long. */
@Module({ imports: [PeopleModule, MailTransportModule], providers, exports: providers })
export class WorkQueuesModule {}
