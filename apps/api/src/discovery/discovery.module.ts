import { Module } from '@nestjs/common';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { SearchModule } from '#search/answers/search.module';
import { DirectoryController } from '../directory/directory.controller.js';
import { AddressLimitModule } from '../http/address-limit.module.js';
import { DiscoveryGuard } from './discovery.guard.js';
import { EventsController } from './events.controller.js';
import { KindsController } from './kinds.controller.js';
import { LongAnswers } from './long-answers.js';
import { PerformersController } from './performers.controller.js';
import { PlaceFinder } from './place-finder.js';
import { RecommendationsController } from './recommendations.controller.js';
import { VenuesController } from './venues.controller.js';

/** The public, read-only API below /2, and the pages for people over the same index. */
@Module({
  imports: [AddressLimitModule, PlatformAuthModule, SearchModule],
  controllers: [
    EventsController,
    PerformersController,
    VenuesController,
    KindsController,
    RecommendationsController,
    DirectoryController,
  ],
  providers: [DiscoveryGuard, LongAnswers, PlaceFinder],
})
export class DiscoveryModule {}
