import { isPersonalField, type ParsedCondition } from '#orders/order-condition.contract';
import { EXPORT_COLUMNS } from '../order-export.contract.js';
import type { WantedExport } from './order-transfers.js';

// A list of all would be some hundred thousand bytes of each page of the audit log.
const MOST_IDS = 1_000;

/** What the audit log says of an export: which orders and what of them, without the buyers' data that a condition names. */
export function auditedExport({ where, ids, event_id, arguments: given }: WantedExport): Record<string, unknown> {
  const { format, columns } = given;
  return {
    format,
    columns: columns ?? (format === 'ndjson' ? 'whole orders' : [...EXPORT_COLUMNS]),
    selection: {
      ...(where && { where: withoutBuyers(where) }),
      ...(ids && { ids: ids.slice(0, MOST_IDS) }),
      ...(ids && ids.length > MOST_IDS && { ids_in_all: ids.length }),
      ...(event_id !== undefined && { event_id }),
    },
  };
}

function withoutBuyers(condition: ParsedCondition): unknown {
  if ('and' in condition) return { and: condition.and.map(withoutBuyers) };
  if ('or' in condition) return { or: condition.or.map(withoutBuyers) };
  if ('not' in condition) return { not: withoutBuyers(condition.not) };
  return isPersonalField(condition.field) ? { field: condition.field, op: condition.op, value: '…' } : condition;
}
