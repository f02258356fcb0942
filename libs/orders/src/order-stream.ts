import type { OrderEvent } from '#domain/order/order-events';
import { type Order, orderFold } from '#domain/order/order-state';
import type { StreamDefinition } from '#event-store/stream-definition';
import { duePingsProjection } from '#pings/due-pings.projection';
import { erasedAnswersProjection } from '#pings/erased-answers.projection';
import { resentPingsProjection } from '#pings/resent-pings.projection';
import {
  correctedBuyersProjection,
  erasedPersonalDataProjection,
  personalDataKeysProjection,
} from './commands/personal-data-keys.projection.js';
import {
  erasedDeskNotesProjection,
  erasedHistoryNotesProjection,
  erasedKeptAnswersProjection,
  erasedWebhookAnswersProjection,
} from './commands/erased-texts.projection.js';
import { freedPurchaseKeysProjection, purchaseKeysProjection } from './commands/purchase-keys.projection.js';
import { erasedMailsProjection } from './mail/erased-mails.projection.js';
import { otherStockProjection, stockProjection } from './listings/stock.projection.js';
import { ordersProjection } from './read-models/orders.projection.js';
import { statusHistoryProjection } from './read-models/status-history.projection.js';
import { TICKET_PROJECTIONS } from './tickets/tickets.projection.js';

export const ORDER_STREAM: StreamDefinition<Order, OrderEvent> = {
  ...orderFold,
  projections: [
    stockProjection,
    otherStockProjection,
    purchaseKeysProjection,
    freedPurchaseKeysProjection,
    personalDataKeysProjection,
    correctedBuyersProjection,
    erasedPersonalDataProjection,
    ordersProjection,
    statusHistoryProjection,
    duePingsProjection,
    resentPingsProjection,
    erasedAnswersProjection,
    erasedHistoryNotesProjection,
    erasedDeskNotesProjection,
    erasedWebhookAnswersProjection,
    erasedKeptAnswersProjection,
    ...TICKET_PROJECTIONS,
    erasedMailsProjection,
  ],
};
