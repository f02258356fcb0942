import { buildSchema } from 'graphql';

/** The part of Braintree's interface that the double serves, with the key of each step, by its reference. Without descriptions. */
export const SCHEMA = buildSchema(`
  scalar Amount
  scalar CountryCode
  scalar CurrencyCodeAlpha
  scalar Date
  scalar Timestamp

  type Query {
    ping: String!
    node(id: ID!): Node
    idFromLegacyId(legacyId: ID!, type: LegacyIdType!): ID!
    search: Search
  }
  type Mutation {
    tokenizeCreditCard(input: TokenizeCreditCardInput!): TokenizeCreditCardPayload
    authorizePaymentMethod(input: AuthorizePaymentMethodInput!): TransactionPayload
    captureTransaction(input: CaptureTransactionInput!): TransactionPayload
    reverseTransaction(input: ReverseTransactionInput!): ReverseTransactionPayload
    refundTransaction(input: RefundTransactionInput!): RefundTransactionPayload
    acceptDispute(input: AcceptDisputeInput!): AcceptDisputePayload
    finalizeDispute(input: FinalizeDisputeInput!): FinalizeDisputePayload
    createDisputeTextEvidence(input: CreateDisputeTextEvidenceInput!): CreateDisputeTextEvidencePayload
    createDisputeFileEvidence(input: CreateDisputeFileEvidenceInput!): CreateDisputeFileEvidencePayload
    sandboxSettleTransaction(input: SandboxSettleTransactionInput!): TransactionPayload
  }

  interface Node { id: ID! }
  type MonetaryAmount { value: Amount currencyCode: CurrencyCodeAlpha }
  type PaymentMethod implements Node { id: ID! legacyId: ID! }

  type Transaction implements Node {
    id: ID! legacyId: ID! orderId: String status: PaymentStatus createdAt: Timestamp amount: MonetaryAmount
    statusHistory: [PaymentStatusEvent!] refunds: [Refund!]
  }
  type Refund implements Node {
    id: ID! legacyId: ID! orderId: String status: PaymentStatus createdAt: Timestamp amount: MonetaryAmount
    statusHistory: [PaymentStatusEvent!] refundedTransaction: Transaction
  }
  type Dispute implements Node {
    id: ID! legacyId: ID! type: DisputeType status: DisputeStatus createdAt: Timestamp replyByDate: Date
    amountDisputed: MonetaryAmount processorResponse: DisputeProcessorResponse evidence: [DisputeEvidence!]
    statusHistory: [DisputeStatusEvent!] transaction: Transaction
  }
  type DisputeProcessorResponse { reason: DisputeReason }
  type DisputeStatusEvent { status: DisputeStatus timestamp: Timestamp effectiveDate: Date }
  interface DisputeEvidence { id: ID! category: DisputeEvidenceCategory }
  type DisputeTextEvidence implements DisputeEvidence { id: ID! category: DisputeEvidenceCategory content: String }
  type DisputeFileEvidence implements DisputeEvidence { id: ID! category: DisputeEvidenceCategory url: String }

  interface PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type AuthorizedEvent implements PaymentStatusEvent {
    status: PaymentStatus timestamp: Timestamp authorizationExpiresAt: Timestamp
  }
  type ProcessorDeclinedEvent implements PaymentStatusEvent {
    status: PaymentStatus timestamp: Timestamp processorResponse: TransactionAuthorizationProcessorResponse
  }
  type GatewayRejectedEvent implements PaymentStatusEvent {
    status: PaymentStatus timestamp: Timestamp gatewayRejectionReason: GatewayRejectionReason
    processorResponse: TransactionAuthorizationProcessorResponse
  }
  type FailedEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type AuthorizationExpiredEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type SubmittedForSettlementEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type SettlingEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type SettledEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type VoidedEvent implements PaymentStatusEvent { status: PaymentStatus timestamp: Timestamp }
  type TransactionAuthorizationProcessorResponse {
    legacyCode: String cvvResponse: AvsCvvResponseCode
    avsPostalCodeResponse: AvsCvvResponseCode avsStreetAddressResponse: AvsCvvResponseCode
  }

  type Search {
    transactions(input: TransactionSearchInput!, first: Int, after: String): TransactionConnection
    refunds(input: RefundSearchInput!, first: Int, after: String): RefundConnection
    disputes(input: DisputeSearchInput!, first: Int, after: String): DisputeConnection
  }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type TransactionConnection { edges: [TransactionConnectionEdge] pageInfo: PageInfo! }
  type TransactionConnectionEdge { node: Transaction }
  type RefundConnection { edges: [RefundConnectionEdge] pageInfo: PageInfo! }
  type RefundConnectionEdge { node: Refund }
  type DisputeConnection { edges: [DisputeConnectionEdge] pageInfo: PageInfo! }
  type DisputeConnectionEdge { node: Dispute }
  input TransactionSearchInput { orderId: SearchTextInput statusTransition: SearchTransactionStatusTransitionInput }
  input RefundSearchInput { orderId: SearchTextInput statusTransition: SearchPaymentStatusTransitionInput }
  input DisputeSearchInput { effectiveDate: SearchDateInput }
  input SearchTextInput { is: String }
  input SearchTimestampInput { greaterThanOrEqualTo: Timestamp lessThanOrEqualTo: Timestamp }
  input SearchDateInput { greaterThanOrEqualTo: Date lessThanOrEqualTo: Date }
  input SearchTransactionStatusTransitionInput {
    failedAt: SearchTimestampInput settledAt: SearchTimestampInput
    submittedForSettlementAt: SearchTimestampInput voidedAt: SearchTimestampInput
  }
  input SearchPaymentStatusTransitionInput {
    failedAt: SearchTimestampInput settledAt: SearchTimestampInput
    submittedForSettlementAt: SearchTimestampInput voidedAt: SearchTimestampInput
  }

  input TokenizeCreditCardInput { creditCard: CreditCardInput! }
  input CreditCardInput {
    number: String expirationYear: String expirationMonth: String cvv: String
    cardholderName: String billingAddress: AddressInput
  }
  input AddressInput {
    firstName: String lastName: String addressLine1: String addressLine2: String
    adminArea1: String adminArea2: String postalCode: String countryCode: CountryCode
  }
  type TokenizeCreditCardPayload { paymentMethod: PaymentMethod }
  input AuthorizePaymentMethodInput { apiRequestKey: String paymentMethodId: ID! transaction: TransactionInput! }
  input TransactionInput { amount: Amount! orderId: String }
  type TransactionPayload { transaction: Transaction }
  input CaptureTransactionInput {
    apiRequestKey: String transactionId: ID! transaction: CaptureTransactionOptionsInput
  }
  input CaptureTransactionOptionsInput { amount: Amount }
  input ReverseTransactionInput { apiRequestKey: String transactionId: ID! }
  union TransactionReversal = Refund | Transaction
  type ReverseTransactionPayload { reversal: TransactionReversal }
  input RefundTransactionInput { apiRequestKey: String transactionId: ID! refund: RefundInput }
  input RefundInput { amount: Amount orderId: String }
  type RefundTransactionPayload { refund: Refund }
  input AcceptDisputeInput { disputeId: ID! }
  type AcceptDisputePayload { dispute: Dispute }
  input FinalizeDisputeInput { disputeId: ID! }
  type FinalizeDisputePayload { dispute: Dispute }
  input CreateDisputeTextEvidenceInput { disputeId: ID! category: DisputeTextEvidenceCategory content: String! }
  type CreateDisputeTextEvidencePayload { evidence: DisputeTextEvidence }
  input CreateDisputeFileEvidenceInput { disputeId: ID! category: DisputeFileEvidenceCategory }
  type CreateDisputeFileEvidencePayload { evidence: DisputeFileEvidence }
  input SandboxSettleTransactionInput { transactionId: ID! }

  enum LegacyIdType { DISPUTE REFUND TRANSACTION }
  enum PaymentStatus {
    AUTHORIZING AUTHORIZED AUTHORIZATION_EXPIRED PROCESSOR_DECLINED GATEWAY_REJECTED FAILED SUBMITTED_FOR_SETTLEMENT
    SETTLEMENT_PENDING SETTLEMENT_CONFIRMED SETTLING SETTLED SETTLEMENT_DECLINED VOIDED
  }
  enum GatewayRejectionReason { AVS AVS_AND_CVV CVV DUPLICATE FRAUD RISK_THRESHOLD THREE_D_SECURE }
  enum AvsCvvResponseCode { DOES_NOT_MATCH MATCHES NOT_PROVIDED }
  enum DisputeType { CHARGEBACK PRE_ARBITRATION RETRIEVAL }
  enum DisputeReason { FRAUD RETRIEVAL }
  enum DisputeStatus { ACCEPTED AUTO_ACCEPTED DISPUTED EXPIRED LOST OPEN UNDER_REVIEW WON }
  enum DisputeEvidenceCategory { CARRIER_NAME GENERAL PURCHASER_EMAIL_ADDRESS PURCHASER_NAME TRACKING_NUMBER }
  enum DisputeTextEvidenceCategory { CARRIER_NAME GENERAL PURCHASER_EMAIL_ADDRESS PURCHASER_NAME TRACKING_NUMBER }
  enum DisputeFileEvidenceCategory { GENERAL PROOF_OF_DELIVERY }
`);
