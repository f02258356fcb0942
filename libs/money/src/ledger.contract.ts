import { z } from 'zod';
import { centsOf } from '#domain/money';
import { text, visibleName, visibleText } from '#base/text';
import { instant, periodEnd } from '#web/instant.contract';

const MOST_A_PAGE = 200;
const LONGEST = 200;
const LONGEST_ACCOUNT = 300;
const MOST_PAID = 1_000_000_000;

const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const currency = z.string().meta({ description: 'ISO 4217' });
const amount = z.number().meta({ description: 'of `currency`, with at most two decimals; debit is positive' });
const account = z.string().meta({
  description:
    '`buyer`, `seller:<id>`, `client:<id>`, `provider:<name>`, `fees`, `delivery`, `tax`, `losses`, `disputes`, `provider_fees`, `bank`',
});

/** Query of GET /backoffice/v1/ledger/accounts. */
export const LedgerAccountsQuery = z
  .strictObject({
    at: instant.optional().meta({ description: 'what was recorded until then. Without it and `position`: now' }),
    position: position.optional().meta({ description: 'up to this `global_position`, inclusive' }),
  })
  .refine((query) => query.at === undefined || query.position === undefined, {
    path: ['position'],
    error: 'give at or position, not both',
  });
export type LedgerAccountsQuery = z.output<typeof LedgerAccountsQuery>;

export const LedgerAccounts = z
  .object({
    accounts: z.array(z.object({ account, currency, balance: amount })),
    position: z.int().meta({
      description: 'the `global_position` up to which events count. Asking with it again gives the same for ever',
    }),
    at: z.iso.datetime().nullable().meta({ description: 'the instant asked for, or that of the event at `position`' }),
  })
  .meta({ id: 'LedgerAccounts' });
export type LedgerAccounts = z.infer<typeof LedgerAccounts>;

/** Query of GET /backoffice/v1/ledger/entries. */
export const LedgerEntriesQuery = z.strictObject({
  account: text(LONGEST_ACCOUNT).min(1).optional(),
  order_id: text(LONGEST).min(1).optional(),
  from: instant.optional().meta({ description: 'inclusive' }),
  to: periodEnd.optional().meta({ description: 'exclusive, but a day without a time includes that whole day (UTC)' }),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: text(64).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type LedgerEntriesQuery = z.output<typeof LedgerEntriesQuery>;

const LedgerEntry = z.object({
  position: z.int().meta({ description: 'the `global_position` of the event; its entries add up to 0' }),
  order_id: z.string().nullable().meta({ description: 'null for payouts, and payments to sellers' }),
  event: z.string().meta({ description: 'the type of the event' }),
  account,
  currency,
  amount,
  at: z.iso.datetime(),
});

export const LedgerEntries = z
  .object({
    entries: z.array(LedgerEntry),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'LedgerEntries' });
export type LedgerEntries = z.infer<typeof LedgerEntries>;

/** Body of POST /backoffice/v1/seller-payments. */
export const NewSellerPayment = z
  .strictObject({
    seller: visibleText(LONGEST).meta({ description: 'as listings name it; `house` for tickets without a seller' }),
    amount: z
      .number()
      .positive()
      .max(MOST_PAID)
      .refine((given) => centsOf(given) !== null, 'must have at most two decimals')
      .meta({ description: 'of the installation’s currency' }),
    paid_on: z.iso.date(),
    reference: visibleName(LONGEST).meta({ description: 'of the bank transfer; each one can be recorded once' }),
  })
  .meta({
    id: 'NewSellerPayment',
    examples: [{ seller: 'Front Row', amount: 1250.5, paid_on: '2026-11-30', reference: 'SEPA 2026-11/17' }],
  });
export type NewSellerPayment = z.output<typeof NewSellerPayment>;

export const SellerPayment = z
  .object({
    seller: z.string(),
    amount: z.number(),
    currency,
    paid_on: z.iso.date(),
    reference: z.string(),
    recorded_at: z.iso.datetime(),
  })
  .meta({ id: 'SellerPayment' });
export type SellerPayment = z.infer<typeof SellerPayment>;
