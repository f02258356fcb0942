// What is asked of Braintree. `input` is always a variable: the published schema is older than `apiRequestKey`.

const PROCESSOR_RESPONSE = `processorResponse { legacyCode avsPostalCodeResponse avsStreetAddressResponse }`;

const TRANSACTION = `
  fragment TransactionFields on Transaction {
    id orderId status createdAt
    amount { value currencyCode }
    statusHistory {
      status timestamp
      ... on AuthorizedEvent { authorizationExpiresAt }
      ... on ProcessorDeclinedEvent { ${PROCESSOR_RESPONSE} }
      ... on GatewayRejectedEvent { gatewayRejectionReason ${PROCESSOR_RESPONSE} }
    }
  }`;

const REFUND = `
  fragment RefundFields on Refund {
    id orderId status createdAt
    amount { value currencyCode }
    statusHistory { status timestamp }
    refundedTransaction { id orderId }
  }`;

const DISPUTE = `
  fragment DisputeFields on Dispute {
    id type status createdAt replyByDate
    amountDisputed { value currencyCode }
    processorResponse { reason }
    statusHistory { status timestamp }
    transaction { id orderId }
  }`;

const PAGE = `pageInfo { hasNextPage endCursor }`;

export const TOKENIZE_CARD = `
  mutation TokenizeCard($input: TokenizeCreditCardInput!) {
    tokenizeCreditCard(input: $input) { paymentMethod { id } }
  }`;

export const AUTHORISE = `
  mutation Authorise($input: AuthorizePaymentMethodInput!) {
    authorizePaymentMethod(input: $input) { transaction { ...TransactionFields } }
  }${TRANSACTION}`;

export const CAPTURE = `
  mutation Capture($input: CaptureTransactionInput!) {
    captureTransaction(input: $input) { transaction { ...TransactionFields } }
  }${TRANSACTION}`;

export const REVERSE = `
  mutation Reverse($input: ReverseTransactionInput!) {
    reverseTransaction(input: $input) {
      reversal { __typename ...TransactionFields ...RefundFields }
    }
  }${TRANSACTION}${REFUND}`;

export const REFUND_TRANSACTION = `
  mutation Refund($input: RefundTransactionInput!) {
    refundTransaction(input: $input) { refund { ...RefundFields } }
  }${REFUND}`;

/** A transaction with its refunds. */
export const TRANSACTION_BY_ID = `
  query TransactionById($id: ID!) {
    node(id: $id) { ... on Transaction { ...TransactionFields refunds { ...RefundFields } } }
  }${TRANSACTION}${REFUND}`;

export const REFUND_BY_ID = `
  query RefundById($id: ID!) {
    node(id: $id) { ... on Refund { ...RefundFields } }
  }${REFUND}`;

export const DISPUTE_BY_ID = `
  query DisputeById($id: ID!) {
    node(id: $id) {
      ... on Dispute {
        id status
        evidence { category ... on DisputeTextEvidence { content } }
      }
    }
  }`;

export const SEARCH_TRANSACTIONS = `
  query SearchTransactions($input: TransactionSearchInput!, $after: String) {
    search {
      page: transactions(input: $input, first: 50, after: $after) { ${PAGE} edges { node { ...TransactionFields } } }
    }
  }${TRANSACTION}`;

export const SEARCH_REFUNDS = `
  query SearchRefunds($input: RefundSearchInput!, $after: String) {
    search {
      page: refunds(input: $input, first: 50, after: $after) { ${PAGE} edges { node { ...RefundFields } } }
    }
  }${REFUND}`;

export const SEARCH_DISPUTES = `
  query SearchDisputes($input: DisputeSearchInput!, $after: String) {
    search {
      page: disputes(input: $input, first: 50, after: $after) { ${PAGE} edges { node { ...DisputeFields } } }
    }
  }${DISPUTE}`;

export const ADD_TEXT = `
  mutation AddText($input: CreateDisputeTextEvidenceInput!) {
    createDisputeTextEvidence(input: $input) { evidence { id } }
  }`;

export const ADD_FILE = `
  mutation AddFile($input: CreateDisputeFileEvidenceInput!) {
    createDisputeFileEvidence(input: $input) { evidence { id } }
  }`;

export const FINALIZE_DISPUTE = `
  mutation FinalizeDispute($input: FinalizeDisputeInput!) {
    finalizeDispute(input: $input) { dispute { id } }
  }`;

export const ACCEPT_DISPUTE = `
  mutation AcceptDispute($input: AcceptDisputeInput!) {
    acceptDispute(input: $input) { dispute { id } }
  }`;

/** Webhooks may name things by their older ids alone. */
export const GLOBAL_ID = `
  query GlobalId($legacyId: ID!, $type: LegacyIdType!) { idFromLegacyId(legacyId: $legacyId, type: $type) }`;
