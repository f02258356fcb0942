/**
 * The codes of the Error body. 40009 to 40040 come from the table of the checkout specification; the others are the
 * marketplace's own.
 */
export const CheckoutCode = {
  MalformedRequest: 40000,
  InvalidField: 40001,
  InvalidQuantity: 40009,
  QuantityNotAvailable: 40011,
  InvalidListingId: 40012,
  ListingNotAvailable: 40014,
  PaymentDeclined: 40016,
  InvalidCardNumber: 40017,
  InvalidZipCode: 40024,
  InvalidTotal: 40026,
  DuplicatePurchase: 40030,
  InvalidBillingState: 40032,
  InvalidShippingState: 40033,
  InvalidShippingAddress: 40034,
  InvalidCvv: 40035,
  InvalidBillingAddress: 40038,
  InvalidExpirationDate: 40039,
  InvalidPurchaseId: 40040,
  NotAuthenticated: 40100,
} as const;
