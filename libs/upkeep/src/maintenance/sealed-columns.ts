import type { Purpose } from '#base/sealing';
import { ledgerKeyContext } from '#event-store/ledger-keys';
import { keptAnswerContext } from '#platform/idempotency-keys';
import { jobNoteContext } from '#desk/job';
import { jobRequestContext } from '#desk/order-transfer-jobs';
import { mainNoteContext, UNDER_MAIN_KEY } from '#orders/order-notes';
import { barcodeKeyContext } from '#fulfilment/barcode-digests';
import { totpPlace } from '#accounts/totp';
import { clientSecretContext } from '#platform/encryption-key';
import { credentialsContext, secretContext } from '#outbound/endpoint';

type Row = Readonly<Record<string, unknown>>;

/** A column whose values are sealed with a key derived from ENCRYPTION_KEY alone. */
export type SealedColumn = Readonly<{
  table: string;
  column: string;
  /** The primary key is `id` everywhere else. */
  id?: string;
  /** Further columns that `context` needs. */
  needs?: readonly string[];
  purpose: Purpose;
  /** What binds a value to its row, as where it is sealed. */
  context: (id: string, row: Row) => string;
  /** Of a text: what it begins with. The rest is base64. */
  prefix?: string;
}>;

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'client_secrets',
    column: 'secret',
    needs: ['client_id'],
    purpose: 'client-secret',
    context: (id, row) => clientSecretContext(String(row['client_id']), id),
  },
  {
    table: 'webhook_secrets',
    column: 'secret',
    needs: ['webhook_id'],
    purpose: 'webhook-secret',
    context: (id, row) => secretContext(String(row['webhook_id']), id),
  },
  { table: 'webhooks', column: 'credentials', purpose: 'webhook-credentials', context: credentialsContext },
  { table: 'operators', column: 'totp_secret', purpose: 'totp-secret', context: totpPlace },
  { table: 'operators', column: 'totp_pending', purpose: 'totp-secret', context: totpPlace },
  { table: 'ledger_keys', column: 'sealed', purpose: 'ledger-key', context: ledgerKeyContext },
  { table: 'jobs', column: 'note', purpose: 'job-note', context: jobNoteContext },
  { table: 'barcode_keys', column: 'sealed', purpose: 'barcode-key', context: barcodeKeyContext },
  { table: 'own_queues', column: 'condition', purpose: 'own-queue', context: (id) => id },
  { table: 'job_files', id: 'job_id', column: 'request', purpose: 'job-request', context: jobRequestContext },
  { table: 'macros', column: 'steps', purpose: 'macro', context: (id) => id },
  { table: 'saved_views', column: 'question', purpose: 'saved-view', context: (id) => id },
  { table: 'idempotency_keys', column: 'answer', purpose: 'kept-answer', context: keptAnswerContext },
  { table: 'screening_rules', column: 'sealed', purpose: 'screening-rules', context: (id) => id },
  {
    table: 'order_notes',
    column: 'sealed',
    needs: ['order_id'],
    purpose: 'order-note',
    context: (id, row) => mainNoteContext(String(row['order_id']), id),
    prefix: UNDER_MAIN_KEY,
  },
];

/** SQL that is true for a value that is not sealed with the key whose header is the parameter. */
export function isElsewise({ column, prefix }: SealedColumn, header: string): string {
  const bytes = prefix === undefined ? column : `decode(substr(${column}, ${prefix.length + 1}), 'base64')`;
  const applies = prefix === undefined ? `${column} is not null` : `starts_with(${column}, '${prefix}')`;
  // In a case, because the planner may swap the sides of an `and`.
  return `case when ${applies} then substring(${bytes} from 1 for length(${header}::bytea)) <> ${header}::bytea else false end`;
}
