import type { OrderEvent } from '#domain/order-events';
import { type Order, orderFold } from '#domain/order-state';
import type { StreamDefinition } from '#event-store/stream-definition';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { erasedAnswersProjection } from '#outbound/erased-answers.projection';
import { resentPingsProjection } from '#outbound/resent-pings.projection';
import { disputesProjection } from './disputes.projection.js';
import { openedMoneyTasksProjection, settledMoneyTasksProjection } from './money-tasks.projection.js';
import {
  correctedBuyersProjection,
  erasedPersonalDataProjection,
  personalDataKeysProjection,
} from './personal-data-keys.projection.js';
import {
  erasedDeskNotesProjection,
  erasedHistoryNotesProjection,
  erasedKeptAnswersProjection,
  erasedWebhookAnswersProjection,
} from './projections/erased-texts.projection.js';
import { freedPurchaseKeysProjection, purchaseKeysProjection } from './purchase-keys.projection.js';
import { removedSamplesProjection } from './projections/removed-samples.projection.js';
import { erasedPacksProjection } from './projections/erased-packs.projection.js';
import { erasedMailsProjection } from './projections/erased-mails.projection.js';
import { otherStockProjection, stockProjection } from '#listings/stock.projection';
import { BARCODE_PROJECTIONS } from './barcodes.projection.js';
import { ledgerEntriesProjection } from './ledger-entries.projection.js';
import { ordersProjection } from './orders.projection.js';
import { statusHistoryProjection } from './status-history.projection.js';
import { TICKET_PROJECTIONS } from './tickets.projection.js';

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
    removedSamplesProjection,
    statusHistoryProjection,
    ledgerEntriesProjection,
    duePingsProjection,
    resentPingsProjection,
    erasedAnswersProjection,
    erasedHistoryNotesProjection,
    erasedDeskNotesProjection,
    erasedWebhookAnswersProjection,
    erasedKeptAnswersProjection,
    ...TICKET_PROJECTIONS,
    ...BARCODE_PROJECTIONS,
    erasedMailsProjection,
    erasedPacksProjection,
    disputesProjection,
    openedMoneyTasksProjection,
    settledMoneyTasksProjection,
  ],
};
