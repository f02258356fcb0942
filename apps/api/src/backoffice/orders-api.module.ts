import { Module } from '@nestjs/common';
import { FeedModule } from '#event-store/feed.module';
import { OrdersModule } from '#orders/orders.module';
import { PingsModule } from '#pings/pings.module';
import { StaffModule } from '../people/staff.module.js';
import { AssigneesController } from './assignees.controller.js';
import { BrokerAnswersController } from './broker-answers.controller.js';
import { BuyerController } from './buyer.controller.js';
import { OrderActionsController } from './order-actions.controller.js';
import { OrderCommands } from './order-commands.js';
import { OrderDeskController } from './order-desk.controller.js';
import { OrderFinding } from './order-finding.js';
import { OrderHistoryController } from './order-history.controller.js';
import { OrderSearchController } from './order-search.controller.js';
import { OrderSearch } from './order-search.js';
import { OrderView } from './order-view.js';
import { OrdersController } from './orders.controller.js';
import { PersonalDataController } from './personal-data.controller.js';
import { ReplacementController } from './replacement.controller.js';
import { StatusCatalogueController } from './status-catalogue.controller.js';

/** Orders, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, PingsModule, FeedModule],
  controllers: [
    OrdersController,
    OrderDeskController,
    AssigneesController,
    StatusCatalogueController,
    OrderActionsController,
    BrokerAnswersController,
    ReplacementController,
    OrderHistoryController,
    BuyerController,
    PersonalDataController,
    OrderSearchController,
  ],
  providers: [OrderView, OrderCommands, OrderSearch, OrderFinding],
  exports: [OrdersModule, OrderView, OrderFinding],
})
export class OrdersApiModule {}
