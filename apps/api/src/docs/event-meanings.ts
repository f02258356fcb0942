import type { OrderEvent } from '#domain/order/order-events';

/** What each event says happened, in the order in which an order may live through them. A type without one does not compile. */
export const EVENT_MEANINGS: Readonly<Record<OrderEvent['type'], string>> = {
  PurchaseReceived:
    'A platform client submitted a purchase whose listing, quantity and total agree. The stock is taken in the same ' +
    'transaction. `personal` is the buyer, sealed: without the order’s key nobody reads it.',
  PaymentAuthorised:
    'The payment provider has taken the amount, or holds it. `reference` is its own name for the payment.',
  PaymentDeclined:
    'The provider refused the payment. The stock goes back and the `ref_id` is free for another try, ' +
    'unless the platform knows of the order by then.',
  PaymentFailed: 'No money moved, for another reason than a refusal: the provider failed or knows of no such payment.',
  PaymentReleased: 'The order was rejected and its money given back: voided before it was captured, refunded after.',
  OrderPending: 'The order waits for the broker, at most `confirm_within_minutes` from here.',
  OrderHeldForReview: 'The order waits for a person to look at it.',
  OrderConfirmed: 'The tickets are the buyer’s.',
  TicketsShipped: 'Tickets went out as a parcel. They cannot be sold again, whatever becomes of the order.',
  TicketsDelivered: 'Tickets went out electronically. They cannot be sold again, whatever becomes of the order.',
  FulfillmentCorrected:
    'The same delivery with other particulars, such as a tracking number. The status stays, so the platform is not pinged.',
  OrderExceptionRaised: 'Something is wrong with the order and it can still be put right. The stock stays held.',
  ReplacementOffered: 'The buyer was offered other tickets.',
  ReplacementAccepted: 'The buyer took them.',
  ReplacementRejected: 'The buyer did not take them, and the order ends.',
  OrderRejected:
    'The order ends. Tickets that did not go out are for sale again, and money that was taken is given back.',
  PersonalDataErased: 'The key of `personal` is deleted: the buyer’s data is unreadable from now on, in this log too.',
};
