import { Module } from '@nestjs/common';
import { FeedModule } from '#event-store/feed.module';
import { OrdersModule } from './orders.module.js';
import { PingsModule } from '#outbound/pings.module';
import { StaffModule } from '#accounts/staff.module';
import { AssigneesController } from './desk/assignees.controller.js';
import { BrokerAnswersController } from './desk/broker-answers.controller.js';
import { Buyers } from './buyers/buyers.js';
import { BuyersController } from './buyers/buyers.controller.js';
import { BuyerController } from './desk/buyer.controller.js';
import { OrderActionsController } from './desk/order-actions.controller.js';
import { OrderCommands } from './desk/order-commands.js';
import { OrderDeskController } from './desk/order-desk.controller.js';
import { OrderNotesController } from './desk/order-notes.controller.js';
import { OrderFinding } from './order-finding.js';
import { OrderHistoryController } from './desk/order-history.controller.js';
import { OrderSearchController } from './search/order-search.controller.js';
import { OrderSearch } from './search/order-search.js';
import { OrderView } from './order-view.js';
import { OrdersController } from './desk/orders.controller.js';
import { PersonalDataController } from './desk/personal-data.controller.js';
import { PeopleOfOrders } from './order-people.js';
import { PresenceController } from './presence/presence.controller.js';
import { ReplacementController } from './desk/replacement.controller.js';
import { StatusCatalogueController } from './status-catalogue/status-catalogue.controller.js';

/** Orders, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, PingsModule, FeedModule],
  controllers: [
    OrdersController,
    OrderDeskController,
    OrderNotesController,
    PresenceController,
    AssigneesController,
    StatusCatalogueController,
    OrderActionsController,
    BrokerAnswersController,
    ReplacementController,
    OrderHistoryController,
    BuyerController,
    BuyersController,
    PersonalDataController,
    OrderSearchController,
  ],
  providers: [OrderView, OrderCommands, OrderSearch, OrderFinding, Buyers, PeopleOfOrders],
  exports: [OrdersModule, OrderView, OrderFinding],
})
export class OrdersApiModule {}
