import { Module } from '@nestjs/common';
import { PlatformAuthModule } from '#accounts/platform-auth.module';
import { SearchModule } from './search/answers/search.module.js';
import { DirectoryController } from './directory/directory.controller.js';
import { AddressLimitModule } from '#web/address-limit.module';
import { DiscoveryGuard } from './routes/discovery.guard.js';
import { EventsController } from './routes/events.controller.js';
import { KindsController } from './routes/kinds.controller.js';
import { LongAnswers } from './routes/long-answers.js';
import { PerformersController } from './routes/performers.controller.js';
import { PlaceFinder } from './routes/place-finder.js';
import { RecommendationsController } from './routes/recommendations.controller.js';
import { VenuesController } from './routes/venues.controller.js';

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
